import { consumerMigrations } from '@shopflow/consumer';
import type { Migration } from '@shopflow/database';
import { outboxMigrations } from '@shopflow/outbox';

const createInvoices: Migration = {
  name: 'CreateInvoices1764460800241',
  up: `
    CREATE TABLE invoices (
      invoice_id       bigint PRIMARY KEY,
      number           text NOT NULL,
      order_id         text,
      organization_id  text NOT NULL,
      delivered        boolean NOT NULL DEFAULT false,
      paid             boolean NOT NULL DEFAULT false,
      voided           boolean NOT NULL DEFAULT false,
      recipient        text,
      amount_kobo      bigint,
      due_on           text COLLATE "C",
      occurred_at      timestamptz,
      source_partition integer,
      source_offset    bigint
    );
    COMMENT ON TABLE invoices IS 'What the events of the invoices service have told so far, in whatever order they came.';
    COMMENT ON COLUMN invoices.paid IS 'Final, as voided is: nothing that comes later takes it back.';
    COMMENT ON COLUMN invoices.due_on IS 'Last day in time as the event says it, YYYY-MM-DD, which sorts as text. Null, as recipient: never told yet.';
    COMMENT ON COLUMN invoices.occurred_at IS 'With source_*: the event that recipient, amount_kobo and due_on are from.';
    CREATE INDEX invoices_to_remind ON invoices (invoice_id) WHERE delivered AND NOT paid AND NOT voided;`,
};

const createReminders: Migration = {
  name: 'CreateReminders1764460800242',
  up: `
    CREATE TABLE reminders (
      reminder_id     text PRIMARY KEY,
      invoice_id      bigint NOT NULL,
      day             date NOT NULL,
      number          text NOT NULL,
      order_id        text,
      organization_id text NOT NULL,
      recipient       text NOT NULL,
      amount_kobo     bigint,
      due_on          text NOT NULL,
      run_due_at      timestamptz NOT NULL,
      raised_at       timestamptz NOT NULL DEFAULT now(),
      UNIQUE (invoice_id, day)
    );
    COMMENT ON TABLE reminders IS 'Every reminder that was ever raised; its event is in the outbox. A customer gets no second one on a day.';
    CREATE INDEX reminders_of_organization ON reminders (organization_id, day DESC, invoice_id);

    CREATE TABLE reminder_runs (
      due_at          timestamptz PRIMARY KEY,
      day             date NOT NULL,
      raised          integer NOT NULL DEFAULT 0,
      last_invoice_id bigint NOT NULL DEFAULT 0,
      started_at      timestamptz NOT NULL DEFAULT now(),
      finished_at     timestamptz
    );
    COMMENT ON TABLE reminder_runs IS 'A run for each due time. Who adds the row has the run; whoever finds it unfinished goes on with it.';
    COMMENT ON COLUMN reminder_runs.last_invoice_id IS 'Up to here every overdue invoice has its reminder: the next batch begins behind it.';

    CREATE TABLE schedule_start (
      only_row   boolean PRIMARY KEY DEFAULT true CHECK (only_row),
      started_at timestamptz NOT NULL
    );
    COMMENT ON TABLE schedule_start IS 'When reminders were first scheduled: what was due before is nobody''s missed run.';`,
};

export const migrations: readonly Migration[] = [...outboxMigrations, ...consumerMigrations, createInvoices, createReminders];
