import { consumerMigrations } from '@shopflow/consumer';
import type { Migration } from '@shopflow/database';
import { outboxMigrations } from '@shopflow/outbox';
import { createArchive } from './archive-migration.js';
import { createDispatching } from './dispatching-migration.js';

const createDeliveries: Migration = {
  name: 'CreateDeliveries1764460800211',
  up: `
    CREATE TABLE contacts (
      order_id         text PRIMARY KEY,
      email            text NOT NULL,
      name             text,
      event_id         text NOT NULL,
      occurred_at      timestamptz NOT NULL,
      source_partition integer NOT NULL,
      source_offset    bigint NOT NULL
    );
    COMMENT ON TABLE contacts IS 'Newest known contact of each order; read when an e-mail is sent. The event columns say which event it is from.';

    CREATE TABLE deliveries (
      id               text PRIMARY KEY,
      kind             text NOT NULL CHECK (kind IN ('receipt', 'invoice', 'reminder')),
      dedupe_key       text NOT NULL UNIQUE,
      order_id         text NOT NULL,
      organization_id  text NOT NULL,
      cause_source     text NOT NULL,
      cause_event_id   text NOT NULL,
      cause_type       text NOT NULL,
      cause_version    integer NOT NULL,
      correlation_id   text,
      traceparent      text,
      tracestate       text,
      status           text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'running', 'sent', 'dead')),
      attempts         integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
      claims           integer NOT NULL DEFAULT 0 CHECK (claims >= 0),
      due_at           timestamptz NOT NULL DEFAULT now(),
      locked_by        text,
      locked_until     timestamptz,
      slot_until       timestamptz,
      provider_id      text,
      last_error       text,
      created_at       timestamptz NOT NULL DEFAULT now(),
      started_at       timestamptz,
      first_failed_at  timestamptz,
      sent_at          timestamptz,
      record_topic     text NOT NULL,
      record_partition integer NOT NULL,
      record_offset    bigint NOT NULL,
      record_timestamp timestamptz NOT NULL,
      record_key       bytea,
      record_value     bytea,
      record_headers   json NOT NULL,
      CHECK ((status = 'running') = (locked_by IS NOT NULL)),
      CHECK ((locked_by IS NULL) = (locked_until IS NULL) AND (locked_by IS NULL) = (slot_until IS NULL)),
      CHECK ((status = 'sent') = (provider_id IS NOT NULL))
    );
    COMMENT ON TABLE deliveries IS 'Every e-mail that is owed, or was: the truth about what still has to go out.';
    COMMENT ON COLUMN deliveries.id IS 'Idempotency-Key at the mail provider, for ever. A receipt has the id of its event.';
    COMMENT ON COLUMN deliveries.dedupe_key IS 'One e-mail per intent: receipt:<event id>.';
    COMMENT ON COLUMN deliveries.attempts IS 'Calls to the provider that were charged; the fourth failure is the last.';
    COMMENT ON COLUMN deliveries.claims IS 'Starts without a finish. Three crashes, and the delivery is not started again.';
    COMMENT ON COLUMN deliveries.locked_until IS 'Lease: from then on any worker may take the delivery over.';
    COMMENT ON COLUMN deliveries.slot_until IS 'Until then the claim counts as a call at the provider, which takes only so many at once.';
    COMMENT ON COLUMN deliveries.record_headers IS 'The record of the event that asked for the e-mail, as it came: it becomes the dead letter.';

    CREATE INDEX deliveries_due ON deliveries (due_at, id) WHERE status = 'queued';
    CREATE INDEX deliveries_running ON deliveries (locked_until) WHERE status = 'running';
    CREATE INDEX deliveries_dead ON deliveries (created_at) WHERE status = 'dead';
    CREATE INDEX deliveries_order ON deliveries (order_id);
    CREATE INDEX deliveries_newest ON deliveries (created_at DESC, id);`,
};

const addInvoices: Migration = {
  name: 'AddInvoices1764460800212',
  up: `
    CREATE TABLE invoices (
      invoice_id       bigint PRIMARY KEY,
      number           text NOT NULL,
      recipient        text NOT NULL,
      amount_kobo      bigint,
      due_on           date NOT NULL,
      event_id         text NOT NULL,
      occurred_at      timestamptz NOT NULL,
      source_topic     text NOT NULL,
      source_partition integer NOT NULL,
      source_offset    bigint NOT NULL
    );
    COMMENT ON TABLE invoices IS 'What is known of each invoice; read when an e-mail about it is sent. The event columns say which event it is from.';
    COMMENT ON COLUMN invoices.recipient IS 'As given: old data may have something here that is no address.';

    CREATE TABLE settled_invoices (
      invoice_id bigint PRIMARY KEY,
      settled    text NOT NULL CHECK (settled IN ('paid', 'void'))
    );
    COMMENT ON TABLE settled_invoices IS 'Of which nothing is owed any more, for good: known apart, since the news may come before the invoice.';

    ALTER TABLE deliveries ALTER COLUMN order_id DROP NOT NULL;
    ALTER TABLE deliveries ADD COLUMN number text, ADD COLUMN invoice_id bigint;
    ALTER TABLE deliveries ADD CHECK (order_id IS NOT NULL OR number IS NOT NULL);
    ALTER TABLE deliveries ADD CHECK ((kind = 'receipt') = (invoice_id IS NULL));
    COMMENT ON COLUMN deliveries.number IS 'Of the invoice that the e-mail is about; null for a receipt.';
    CREATE INDEX deliveries_number ON deliveries (number) WHERE number IS NOT NULL;`,
};

export const migrations: readonly Migration[] = [
  ...outboxMigrations,
  ...consumerMigrations,
  createDeliveries,
  addInvoices,
  createDispatching,
  createArchive,
];
