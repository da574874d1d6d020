import { DEFAULT_ORGANIZATION, type EventContract, type EventEnvelope, InvalidVersionError, readPayload } from '@shopflow/contracts';
import { type ConsumedRecord, headerNames, headerText, type RawHeaders } from '@shopflow/kafka';
import { UndecodableError } from './failure.js';
import type { EventIdentity } from './identify-event.js';
import { nestsDeeper } from './nests-deeper.js';
import { textFault } from './text-fault.js';

/** In bytes; every other header has the limit of `textFault`. */
const MAX_TRACESTATE_BYTES = 512;
/** In bytes: a longer key fits no index. */
const MAX_KEY_BYTES = 1024;
/** Objects and arrays within each other; no contract comes near it. */
const MAX_LEVELS = 100;

/**
 * Turns a record into the event that handlers see, its payload upcast to the latest version and checked. Everything in it
 * can be stored: what PostgreSQL would refuse is refused here, where it is known which header it was.
 *
 * @throws UndecodableError when the record is no event at all
 * @throws ContractError when the payload, or its version, is not what the contract says
 */
export function decodeEvent(record: ConsumedRecord, { source, eventId }: EventIdentity, contract: EventContract): EventEnvelope {
  const { type } = contract;
  const { headers } = record;
  const version = versionIn(type, textOf(type, headers, headerNames.version));
  const key = checked(type, 'the key', record.key?.toString(), MAX_KEY_BYTES);
  return {
    id: eventId,
    type,
    version,
    source,
    subject: textOf(type, headers, headerNames.subject) ?? key ?? '',
    time: timeOf(type, textOf(type, headers, headerNames.time), record),
    correlationId: textOf(type, headers, headerNames.correlationId) ?? null,
    causationId: textOf(type, headers, headerNames.causationId) ?? null,
    organizationId: textOf(type, headers, headerNames.organizationId) ?? DEFAULT_ORGANIZATION,
    traceparent: textOf(type, headers, headerNames.traceparent) ?? null,
    tracestate: textOf(type, headers, headerNames.tracestate, MAX_TRACESTATE_BYTES) ?? null,
    payload: readPayload(contract, version, parseJson(type, record.value)),
  };
}

/** A number as `readPayload` judges it; NaN when the header is missing or no plain number. */
export const versionOf = (header: string | undefined): number => (header !== undefined && /^\d{1,15}$/.test(header) ? Number(header) : NaN);

function versionIn(type: string, header: string | undefined): number {
  const version = versionOf(header);
  if (Number.isNaN(version)) throw new InvalidVersionError(type, `${type}: invalid version ${header ?? '(none)'}`);
  return version;
}

const textOf = (type: string, headers: RawHeaders, name: string, maxBytes?: number): string | undefined =>
  checked(type, name, headerText(headers, name), maxBytes);

function checked(type: string, name: string, text: string | undefined, maxBytes?: number): string | undefined {
  const fault = text === undefined ? undefined : textFault(name, text, maxBytes);
  if (fault !== undefined) throw new UndecodableError(`${type}: ${fault}`);
  return text;
}

/** The range that every calendar and database agrees on. */
const YEAR_1 = Date.parse('0001-01-01T00:00:00Z');
const YEAR_10000 = Date.parse('+010000-01-01T00:00:00Z');

function timeOf(type: string, header: string | undefined, record: ConsumedRecord): Date {
  const time = new Date(header ?? record.timestamp);
  if (time.getTime() >= YEAR_1 && time.getTime() < YEAR_10000) return time;
  const name = header === undefined ? "the record's timestamp" : headerNames.time;
  throw new UndecodableError(`${type}: ${name} is not a time of the years 1 to 9999: ${header ?? record.timestamp}`);
}

/** Without a value there is no payload, which is for the contract to judge. */
function parseJson(type: string, value: Buffer | null): unknown {
  if (value === null) return null;
  const json = value.toString();
  if (nestsDeeper(json, MAX_LEVELS)) throw new UndecodableError(`${type}: the value nests deeper than ${MAX_LEVELS} levels`);
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw new UndecodableError(`${type}: the value is not JSON (${(cause as Error).message})`, { cause });
  }
}
