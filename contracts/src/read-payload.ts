import type { EventContract, PayloadOf } from './contract.js';

/** A payload that its contract refuses. `heals` says whether newer code could still read it. */
export abstract class ContractError extends Error {
  abstract readonly heals: boolean;
  constructor(
    readonly type: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** Written by a producer that was deployed before this consumer: heals with the next deployment. */
export class NewerVersionError extends ContractError {
  readonly heals = true;
}

/** The version is not a whole number from 1 on. */
export class InvalidVersionError extends ContractError {
  readonly heals = false;
}

/** No upcaster for a step, or it threw. */
export class UpcastError extends ContractError {
  readonly heals = false;
}

export class InvalidPayloadError extends ContractError {
  readonly heals = false;
  constructor(
    type: string,
    version: number,
    /** Dotted paths of every field that is missing or wrong. */
    readonly fields: readonly string[],
  ) {
    super(type, `${type} v${version}: invalid ${fields[0] ?? 'payload'}`);
  }
}

/**
 * Reads a payload of any released version: refuses a newer one, upcasts an older one step by step, then checks the
 * result against the latest schema and drops fields that it does not know.
 *
 * @param version the version that the producer wrote
 * @throws NewerVersionError InvalidVersionError UpcastError InvalidPayloadError
 */
export function readPayload<C extends EventContract>(contract: C, version: number, payload: unknown): PayloadOf<C> {
  const { type, latest } = contract;
  if (!Number.isSafeInteger(version) || version < 1) throw new InvalidVersionError(type, `${type}: invalid version ${version}`);
  if (version > latest.number) {
    throw new NewerVersionError(type, `${type} v${version} is newer than this code (v${latest.number})`);
  }
  let current = payload;
  for (let step = version; step < latest.number; step++) current = applyUpcaster(contract, step, current);
  if (!contract.payload.check(current)) {
    throw new InvalidPayloadError(type, latest.number, contract.payload.invalidFields(current));
  }
  return contract.payload.keepKnownFields(current) as PayloadOf<C>;
}

function applyUpcaster(contract: EventContract, from: number, payload: unknown): unknown {
  const upcaster = contract.upcasters.find((candidate) => candidate.from === from);
  if (!upcaster) throw new UpcastError(contract.type, `no upcaster from ${contract.type} v${from}`);
  try {
    return upcaster.apply(payload);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UpcastError(contract.type, `upcaster from ${contract.type} v${from} failed: ${reason}`, { cause });
  }
}
