import { consumerMigrations } from '@shopflow/consumer';
import type { Migration } from '@shopflow/database';
import { outboxMigrations } from '@shopflow/outbox';

const createInvoices: Migration = {
  name: 'CreateInvoices1764460800231',
  up: `
    CREATE SEQUENCE invoice_numbers;
    CREATE TABLE invoices (
      id                  bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      number              text NOT NULL,
      organization_id     text NOT NULL,
      order_id            text,
      recipient           text NOT NULL,
      recipient_at        timestamptz NOT NULL DEFAULT now(),
      recipient_partition integer NOT NULL DEFAULT -1,
      recipient_offset    bigint NOT NULL DEFAULT -1,
      amount_kobo         bigint CHECK (amount_kobo > 0),
      due_on              date NOT NULL,
      status              text NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'sending', 'sent', 'paid', 'void')),
      paid_on             date,
      imported            json,
      correlation_id      text,
      created_at          timestamptz(3) NOT NULL DEFAULT now(),
      UNIQUE (organization_id, number),
      UNIQUE (order_id, organization_id),
      CHECK ((status = 'paid') = (paid_on IS NOT NULL))
    );
    COMMENT ON COLUMN invoices.recipient IS 'Where the invoice goes, as given: old data may have no address here. The columns behind it say which event it is from.';
    COMMENT ON COLUMN invoices.imported IS 'The request that imported it, by which a repeat is known; null for an invoice of an order of ours.';
    CREATE INDEX invoices_newest ON invoices (organization_id, id DESC);`,
};

const createDeliveries: Migration = {
  name: 'CreateDeliveries1764460800232',
  up: `
    CREATE TABLE deliveries (
      id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      invoice_id      bigint NOT NULL REFERENCES invoices (id),
      dedupe_key      text NOT NULL UNIQUE,
      organization_id text NOT NULL,
      status          text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'running', 'sent', 'dead')),
      attempts        integer NOT NULL DEFAULT 0,
      provider_id     text,
      reason          text,
      correlation_id  text,
      created_at      timestamptz(3) NOT NULL DEFAULT now(),
      changed_at      timestamptz(3) NOT NULL DEFAULT now(),
      CHECK ((status = 'dead') = (reason IS NOT NULL)),
      CHECK ((status = 'sent') = (provider_id IS NOT NULL))
    );
    COMMENT ON TABLE deliveries IS 'Every e-mail with an invoice that somebody asked for, as far as the email service has told of it.';
    COMMENT ON COLUMN deliveries.id IS 'delivery-<id> is its id in events and at the mail provider, for ever.';
    COMMENT ON COLUMN deliveries.dedupe_key IS 'One delivery per intent: invoice:<invoice>.';
    CREATE INDEX deliveries_of_invoice ON deliveries (invoice_id);`,
};

const createOrderFacts: Migration = {
  name: 'CreateOrderFacts1764460800233',
  up: `
    CREATE TABLE order_facts (
      order_id         text PRIMARY KEY,
      cancelled        boolean NOT NULL DEFAULT false,
      email            text,
      occurred_at      timestamptz,
      source_partition integer,
      source_offset    bigint,
      CHECK ((email IS NULL) = (occurred_at IS NULL))
    );
    COMMENT ON TABLE order_facts IS 'What became of orders: an order.created that comes late, from a dead letter say, must not undo it.';`,
};

export const migrations: readonly Migration[] = [
  ...outboxMigrations,
  ...consumerMigrations,
  createInvoices,
  createDeliveries,
  createOrderFacts,
];
