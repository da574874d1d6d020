import { RETRY_TIERS } from '@shopflow/contracts';

/** Milliseconds before the second, third and fourth attempt. */
export type DelaysMs = readonly [number, number, number];

/** Which retry topic a head waits in, from 1: that of the pause after its latest attempt. */
export const tierOf = ({ attempts }: { attempts: number }): number => Math.min(RETRY_TIERS, Math.max(1, attempts));

export const delayOfTier = (delaysMs: DelaysMs, tier: number): number => delaysMs[tier - 1]!;
