/** Where the record of an event lies. */
export interface ConsumedPlace {
  readonly partition: number;
  readonly offset: number;
}
