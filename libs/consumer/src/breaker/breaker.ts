import { waitOrAbort } from '@shopflow/kafka';
import { type BreakerNotice, closedNotice, openedNotice } from './breaker-notice.js';
import type { BreakerStatus } from './breaker-status.js';
import { Circuit } from './circuit.js';

export interface BreakerOptions {
  /** So many different events in a row with one cause open it; 20. */
  readonly threshold: number;
  /** Until the first probe, in milliseconds; 5,000. Doubles with every probe that fails. */
  readonly firstProbeMs: number;
  /** Between probes at most, in milliseconds; 60,000. A probe without an answer is given up after as long. */
  readonly mostProbeMs: number;
  readonly clock: () => Date;
  readonly onChange: (notice: BreakerNotice) => void;
}

/**
 * Stops a handler that fails for everybody, before every event is charged for it: when `threshold` different events in a row have
 * failed alike and none has succeeded between, it opens. Then nothing runs but a probe now and then, and nobody is charged.
 * One for each member of a group; handlers are counted apart, by name. Only failures that may heal concern it.
 *
 * A probe that fails in another way closes it: what all had in common is over, and that event is charged like any other.
 */
export class Breaker {
  private readonly circuits = new Map<string, Circuit>();
  private changed = Promise.withResolvers<void>();

  constructor(private readonly options: BreakerOptions) {}

  /** While it is, only what {@link admit} lets through may run. */
  isOpen(handler: string): boolean {
    return this.circuits.get(handler)?.open === true;
  }

  /** Whoever gets `probe` answers with {@link succeeded}, {@link failed} or {@link released}; `wait`: see {@link untilAllowed}. */
  admit(handler: string): 'run' | 'probe' | 'wait' {
    const circuit = this.circuits.get(handler);
    if (!circuit?.open) return 'run';
    if (this.now < circuit.nextProbeAt.getTime()) return 'wait';
    circuit.probe(this.options.clock(), this.options.mostProbeMs);
    return 'probe';
  }

  /** An event of the handler has succeeded: the row is broken, and an open breaker closes. */
  succeeded(handler: string): void {
    const circuit = this.circuits.get(handler);
    if (circuit) this.close(circuit);
  }

  /**
   * An event of the handler has failed in a way that may heal.
   *
   * @param eventKey the same for every try of the event, which counts once
   * @param cause see `causeOf`
   * @returns true when the breaker is open now: the failure must not be charged
   */
  failed(handler: string, eventKey: string, cause: string): boolean {
    const known = this.circuits.get(handler);
    if (known?.open && (!known.probing || known.cause === cause)) return this.probeFailed(known);
    if (known && known.cause !== cause) this.close(known);
    const circuit = this.circuits.get(handler) ?? this.add(new Circuit(handler, cause, this.options.clock()));
    circuit.events.add(eventKey);
    if (circuit.events.size < this.options.threshold) return false;
    this.open(circuit);
    return true;
  }

  /** The probe ended without an answer (an outage, the partition was lost): the next may probe at once. */
  released(handler: string): void {
    const circuit = this.circuits.get(handler);
    if (circuit?.probing) this.pause(circuit, 0, circuit.probeMs);
  }

  /**
   * Resolves when something may run again: closed, or the next probe is due. Who asks {@link admit} first gets the probe; the
   * others wait again. Resolves, too, when the signal is aborted.
   *
   * @param handler without it, any handler whose breaker is open, or at once when none is
   */
  async untilAllowed(signal: AbortSignal, handler?: string): Promise<void> {
    while (!signal.aborted) {
      const ms = this.msUntilAllowed(handler);
      if (ms <= 0) return;
      await this.change(ms, signal);
    }
  }

  get status(): readonly BreakerStatus[] {
    return [...this.circuits.values()].map((circuit) => circuit.status);
  }

  private get now(): number {
    return this.options.clock().getTime();
  }

  private msUntilAllowed(handler: string | undefined): number {
    const all = handler === undefined ? [...this.circuits.values()] : [this.circuits.get(handler)];
    const open = all.filter((circuit) => circuit?.open === true);
    if (open.length === 0) return 0;
    return Math.min(...open.map((circuit) => circuit!.nextProbeAt.getTime() - this.now));
  }

  /** Waits for the next change, or for so long. */
  private async change(ms: number, signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    const ends = AbortSignal.any([signal, over.signal]);
    await Promise.race([this.changed.promise, waitOrAbort(ms, ends)]);
    over.abort();
  }

  private add(circuit: Circuit): Circuit {
    this.circuits.set(circuit.handler, circuit);
    return circuit;
  }

  private open(circuit: Circuit): void {
    circuit.open = true;
    circuit.since = this.options.clock();
    this.pause(circuit, this.options.firstProbeMs);
    this.options.onChange(openedNotice(circuit.status));
  }

  /** A failure that began before it opened answers no probe; uncharged it is all the same. */
  private probeFailed(circuit: Circuit): true {
    if (circuit.probing) this.pause(circuit, Math.min(circuit.probeMs * 2, this.options.mostProbeMs));
    return true;
  }

  private pause(circuit: Circuit, ms: number, probeMs = ms): void {
    circuit.pause(this.options.clock(), ms, probeMs);
    this.notify();
  }

  private close(circuit: Circuit): void {
    this.circuits.delete(circuit.handler);
    if (!circuit.open) return;
    this.options.onChange(closedNotice(circuit.status, this.options.clock()));
    this.notify();
  }

  private notify(): void {
    this.changed.resolve();
    this.changed = Promise.withResolvers();
  }
}
