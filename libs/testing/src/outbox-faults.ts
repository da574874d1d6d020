import { events } from '@shopflow/contracts';

/** A row of an outbox, as far as a contract has something to say of it. */
export interface OutboxRow {
  readonly type: string;
  readonly version: number;
  readonly topic: string;
  /** The Kafka key. */
  readonly aggregateid: string;
  readonly payload: Record<string, unknown>;
}

/** Where rows of a service's outbox are not what the contracts of today promise, field by field. For contract tests of producers. */
export const outboxFaults = (owner: string, rows: readonly OutboxRow[]): string[] => rows.flatMap((row) => faultsOf(owner, row));

function faultsOf(owner: string, { type, version, topic, aggregateid, payload }: OutboxRow): string[] {
  const contract = events.find((candidate) => candidate.type === type);
  if (contract === undefined) return [`${type} is no contract`];
  return [
    ...contract.payload.invalidFields(payload).map((field) => `${type}: invalid ${field}`),
    ...contract.payload.unknownFields(payload).map((field) => `${type}: unknown ${field}`),
    ...(version === contract.latest.number ? [] : [`${type}: v${version} is not the current version`]),
    ...(topic === contract.topic.name && contract.owner === owner ? [] : [`${type}: not ours on ${topic}`]),
    ...(aggregateid === (payload['orderId'] ?? payload['number']) ? [] : [`${type}: key ${aggregateid}`]),
  ];
}
