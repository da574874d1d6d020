const NAME_BYTES = 63;

/** The replication slot that an outbox is read through: `<namespace>_<source>` in the letters, and the length, that PostgreSQL allows. */
export const slotName = (namespace: string, source: string): string =>
  `${namespace}_${source}`
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '_')
    .slice(0, NAME_BYTES);
