import type { Static, TObject } from 'typebox';

/** One released shape of an event's payload. Never edited after release: a new shape is a new version. */
export interface EventVersion<S extends TObject = TObject> {
  readonly number: number;
  readonly schema: S;
  /** What this version changed, for people. */
  readonly changes: string;
}

export function version<S extends TObject>(number: number, schema: S, changes: string): EventVersion<S> {
  return { number, schema, changes };
}

/** Turns a payload of version `from` into version `from + 1`. Pure; fills in only what can be derived. */
export interface Upcaster {
  readonly from: number;
  readonly apply: (payload: unknown) => unknown;
}

export function upcast<From extends TObject, To extends TObject>(
  from: EventVersion<From>,
  to: EventVersion<To>,
  apply: (payload: Static<From>) => Static<To>,
): Upcaster {
  if (to.number !== from.number + 1) throw new Error(`upcast goes one version at a time, not v${from.number} to v${to.number}`);
  return { from: from.number, apply: apply as (payload: unknown) => unknown };
}
