// What comes from headers and timestamps that anybody may have written, as PostgreSQL can store it.

import { boundedText } from '../bounded-text.js';
import { versionOf } from '../decode-event.js';

export const textOrNull = (text: string | null): string | null => (text === null ? null : boundedText(text));

/** Milliseconds; any producer's clock may have written them, and the row of an impossible time has a time too. */
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');
export const storableTime = (timestamp: number): Date => new Date(Math.min(Math.max(timestamp, 0), LATEST));

/** PostgreSQL's integer. */
const MAX_VERSION = 2_147_483_647;

/** The version as the producer wrote it, or null where it wrote none that can be stored. */
export function storableVersion(header: string | undefined): number | null {
  const version = versionOf(header);
  return version <= MAX_VERSION ? version : null;
}
