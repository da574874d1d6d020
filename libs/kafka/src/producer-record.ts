/** An array for a header that is there more than once. */
export type HeaderValue = string | Buffer | null | readonly (string | Buffer | null)[];

/** One record to produce. Nulls are Kafka's nulls: a record without key goes to any partition, one without value is a tombstone. */
export interface ProducerRecord {
  /** Name on the broker, with its namespace. */
  readonly topic: string;
  readonly key: string | Buffer | null;
  readonly value: string | Buffer | null;
  readonly headers: Readonly<Record<string, HeaderValue>>;
}
