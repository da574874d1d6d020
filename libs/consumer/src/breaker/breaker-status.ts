/** What one handler's failures look like; there is none for a handler whose last event succeeded. */
export interface BreakerStatus {
  readonly handler: string;
  readonly open: boolean;
  /** See `causeOf`. */
  readonly cause: string;
  /** Of the first failure in the row; once it is open, since when it has been. */
  readonly since: Date;
  /** Only while open does it mean anything. */
  readonly nextProbeAt: Date;
  /** Different events; no more than the threshold are counted. */
  readonly inARow: number;
}
