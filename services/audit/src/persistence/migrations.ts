import { consumerMigrations } from '@shopflow/consumer';
import type { Migration } from '@shopflow/database';

const createAuditLog: Migration = {
  name: 'CreateAuditLog1764460800201',
  up: `
    CREATE TABLE audit_log (
      seq             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      source          text NOT NULL,
      event_id        text NOT NULL,
      type            text NOT NULL,
      version         integer NOT NULL,
      order_id        text NOT NULL,
      organization_id text NOT NULL,
      correlation_id  text,
      causation_id    text,
      occurred_at     timestamptz NOT NULL,
      recorded_at     timestamptz NOT NULL DEFAULT now(),
      line            text NOT NULL,
      payload         json NOT NULL
    );
    COMMENT ON COLUMN audit_log.version IS 'as the producer wrote it, before any upcasting';
    COMMENT ON COLUMN audit_log.payload IS 'byte for byte as it was published: json, not jsonb, keeps the text';
    CREATE INDEX audit_log_order ON audit_log (order_id, seq);
    CREATE INDEX audit_log_correlation ON audit_log (correlation_id, seq);

    CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'audit_log is append-only: % refused', TG_OP USING ERRCODE = 'insufficient_privilege';
    END $$;
    CREATE TRIGGER audit_log_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();`,
};

const addInvoiceNumber: Migration = {
  name: 'AddInvoiceNumber1764460800202',
  up: `
    ALTER TABLE audit_log ADD COLUMN invoice_number text;
    COMMENT ON COLUMN audit_log.invoice_number IS 'of what is about an invoice: the invoice, its e-mails and reminders';
    COMMENT ON COLUMN audit_log.order_id IS 'Kafka key of the event: the order id, or the number of an invoice without an order';
    CREATE INDEX audit_log_invoice ON audit_log (invoice_number, seq) WHERE invoice_number IS NOT NULL;`,
};

export const migrations: readonly Migration[] = [...consumerMigrations, createAuditLog, addInvoiceNumber];
