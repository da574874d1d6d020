import { DEFAULT_ORGANIZATION, type EventContract, type EventEnvelope, readPayload } from '@shopflow/contracts';
import { type ConsumedRecord, headerNames, headerText } from '@shopflow/kafka';
import { UndecodableError } from './failure.js';
import type { EventIdentity } from './identify-event.js';

/**
 * Turns a record into the event that handlers see, its payload upcast to the latest version and checked.
 *
 * @throws UndecodableError when the record is no event at all
 * @throws ContractError when the payload, or its version, is not what the contract says
 */
export function decodeEvent(record: ConsumedRecord, { source, eventId }: EventIdentity, contract: EventContract): EventEnvelope {
  const text = (name: string) => headerText(record.headers, name);
  const version = versionOf(text(headerNames.version));
  return {
    id: eventId,
    type: contract.type,
    version,
    source,
    subject: text(headerNames.subject) ?? record.key?.toString() ?? '',
    time: timeOf(contract.type, text(headerNames.time), record),
    correlationId: text(headerNames.correlationId) ?? null,
    causationId: text(headerNames.causationId) ?? null,
    organizationId: text(headerNames.organizationId) ?? DEFAULT_ORGANIZATION,
    traceparent: text(headerNames.traceparent) ?? null,
    tracestate: text(headerNames.tracestate) ?? null,
    payload: readPayload(contract, version, parseJson(contract.type, record.value)),
  };
}

/** A number as `readPayload` judges it; NaN when the header is missing or no plain number. */
export const versionOf = (header: string | undefined): number => (header !== undefined && /^\d{1,15}$/.test(header) ? Number(header) : NaN);

function timeOf(type: string, header: string | undefined, record: ConsumedRecord): Date {
  const time = new Date(header ?? record.timestamp);
  if (Number.isNaN(time.getTime())) throw new UndecodableError(`${type}: ${headerNames.time} is not a time: ${header}`);
  return time;
}

/** Without a value there is no payload, which is for the contract to judge. */
function parseJson(type: string, value: Buffer | null): unknown {
  if (value === null) return null;
  try {
    return JSON.parse(value.toString());
  } catch (cause) {
    throw new UndecodableError(`${type}: the value is not JSON (${(cause as Error).message})`, { cause });
  }
}
