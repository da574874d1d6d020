/** Key, value and headers of one record, ready to be written as the record format has them. */
export interface RecordContent {
  /** What {@link write} writes. */
  readonly bytes: number;
  write(target: Buffer, at: number): void;
}
