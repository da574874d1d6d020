import type { Migration } from '@shopflow/database';

/** Where e-mails that were sent long ago are kept, so that the ledger stays small. */
export const createArchive: Migration = {
  name: 'CreateDeliveriesArchive1764460800221',
  up: `
    CREATE TABLE deliveries_archive (
      id              text PRIMARY KEY,
      kind            text NOT NULL,
      dedupe_key      text NOT NULL UNIQUE,
      order_id        text,
      number          text,
      organization_id text NOT NULL,
      cause_source    text NOT NULL,
      cause_event_id  text NOT NULL,
      correlation_id  text,
      attempts        integer NOT NULL,
      due_at          timestamptz NOT NULL,
      provider_id     text NOT NULL,
      created_at      timestamptz NOT NULL,
      sent_at         timestamptz NOT NULL,
      archived_at     timestamptz NOT NULL
    );
    COMMENT ON TABLE deliveries_archive IS 'What was sent long ago, for support and so that nothing is sent a second time. Without the record of its event.';
    CREATE INDEX deliveries_archive_order ON deliveries_archive (order_id) WHERE order_id IS NOT NULL;
    CREATE INDEX deliveries_archived_at ON deliveries_archive (archived_at);
    DROP INDEX deliveries_newest;
    CREATE INDEX deliveries_by_age ON deliveries (created_at, id);`,
};
