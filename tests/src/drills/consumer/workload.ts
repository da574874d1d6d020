import { type EventContract, orderCancelled, orderContactUpdated, orderCreated } from '@shopflow/contracts';
import { physicalTopic, type ProducerRecord, writeHeaders } from '@shopflow/kafka';
import { type DrillEvent, type Fate, idOf, KEY_KINDS, type KeyKind, keyOf, kindOf } from './fate.js';
import type { Random } from './random.js';

const CONTRACTS: Record<KeyKind, EventContract> = { each: orderCreated, block: orderContactUpdated, batch: orderCancelled };

/** Of an event's chance to be anything but healthy. Those that cost a process come at times of their own. */
const RATES: readonly (readonly [Fate, number])[] = [
  ['slow', 0.001],
  ['heals-2', 0.01],
  ['heals-3', 0.007],
  ['heals-4', 0.004],
  ['doomed', 0.004],
  ['stubborn', 0.001],
  ['refused', 0.004],
];

/** So many events later a copy comes, at most. */
const LATER = 4_000;

/** Draws the events, each with its place in its key. */
export class Workload {
  readonly events: DrillEvent[] = [];
  private readonly places = new Map<string, number>();
  private readonly keys: readonly string[];
  private readonly copies = new Map<number, DrillEvent[]>();

  constructor(
    private readonly random: Random,
    private readonly options: { readonly namespace: string; readonly keys: number; readonly copyChance: number },
  ) {
    this.keys = Array.from({ length: options.keys }, (_, n) => keyOf(KEY_KINDS[n % KEY_KINDS.length]!, n));
  }

  /** The next event, and copies of earlier ones whose time has come. */
  next(): ProducerRecord[] {
    const event = this.draw(this.fate(), this.random.one(this.keys));
    if (this.random.chance(this.options.copyChance)) this.copyLater(event);
    const due = this.copies.get(this.events.length) ?? [];
    this.copies.delete(this.events.length);
    return [event, ...due].map((one) => toRecord(one, this.options.namespace));
  }

  /** One that costs a process: as the first of its key, or as a follower of one that is held. */
  costly(fate: 'kills' | 'hangs', behindHeld: boolean): ProducerRecord[] {
    const key = this.random.one(this.keys);
    const events = behindHeld ? [this.draw('heals-2', key), this.draw(fate, key)] : [this.draw(fate, key)];
    return events.map((event) => toRecord(event, this.options.namespace));
  }

  private draw(fate: Fate, key: string): DrillEvent {
    const place = (this.places.get(key) ?? 0) + 1;
    this.places.set(key, place);
    const event = { id: idOf(fate, key, place), fate, key, kind: kindOf(key), place };
    this.events.push(event);
    return event;
  }

  private fate(): Fate {
    let rest = this.random.next();
    for (const [fate, rate] of RATES) {
      rest -= rate;
      if (rest < 0) return fate;
    }
    return 'healthy';
  }

  private copyLater(event: DrillEvent): void {
    const at = this.events.length + 1 + this.random.below(LATER);
    this.copies.set(at, [...(this.copies.get(at) ?? []), event]);
  }
}

/** The event as the orders service would publish it. */
export function toRecord({ id, key, kind }: DrillEvent, namespace: string): ProducerRecord {
  const { type, topic, latest } = CONTRACTS[kind];
  const nothing = { correlationId: null, causationId: null, traceparent: null, tracestate: null };
  const facts = { source: 'orders', subject: key, time: '2026-11-30T10:00:00.000Z', version: latest.number, organizationId: 'shopflow' };
  return {
    topic: physicalTopic(namespace, topic.name),
    key,
    value: JSON.stringify(PAYLOADS[kind](key)),
    headers: writeHeaders({ id, type, ...facts, ...nothing }),
  };
}

const CUSTOMER = { email: 'ada@shop.ng', name: 'Ada' };
const PAYLOADS: Record<KeyKind, (orderId: string) => object> = {
  each: (orderId) => ({ orderId, customer: CUSTOMER, totalKobo: 2_500_000, currency: 'NGN', channel: 'web' }),
  block: (orderId) => ({ orderId, customer: CUSTOMER }),
  batch: (orderId) => ({ orderId, reason: null }),
};
