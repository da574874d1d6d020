import type { Migration } from '@shopflow/database';
import { outboxMigrations } from '@shopflow/outbox';

const createOrders: Migration = {
  name: 'CreateOrders1764460800201',
  up: `
    CREATE TABLE orders (
      id            text PRIMARY KEY,
      status        text NOT NULL DEFAULT 'placed' CHECK (status IN ('placed', 'cancelled')),
      email         text NOT NULL,
      name          text,
      placed_email  text NOT NULL,
      placed_name   text,
      total_kobo    bigint NOT NULL CHECK (total_kobo > 0),
      currency      text NOT NULL,
      channel       text NOT NULL,
      created_at    timestamptz(3) NOT NULL DEFAULT now(),
      cancelled_at  timestamptz(3),
      cancel_reason text,
      CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL))
    );
    COMMENT ON COLUMN orders.email IS 'contact as it stands; placed_email and placed_name are what the order was placed with';`,
};

const createIdempotencyKeys: Migration = {
  name: 'CreateIdempotencyKeys1764460800202',
  up: `
    CREATE TABLE idempotency_keys (
      key         text PRIMARY KEY,
      fingerprint text NOT NULL,
      answer      json,
      created_at  timestamptz NOT NULL DEFAULT now()
    );
    COMMENT ON COLUMN idempotency_keys.fingerprint IS 'SHA-256 of the request: the same key with another one is a mistake of the caller';
    COMMENT ON COLUMN idempotency_keys.answer IS 'the body of the first answer, which every repeat gets';`,
};

// A process of the version before goes on beside this one: what it writes is of `shopflow`, as all of its orders are.
const addOrganizations: Migration = {
  name: 'AddOrganizations1764460800205',
  up: `
    ALTER TABLE orders ADD COLUMN organization_id text NOT NULL DEFAULT 'shopflow';
    ALTER TABLE idempotency_keys ADD COLUMN organization_id text NOT NULL DEFAULT 'shopflow';
    ALTER TABLE idempotency_keys DROP CONSTRAINT idempotency_keys_pkey, ADD PRIMARY KEY (organization_id, key);`,
};

export const migrations: readonly Migration[] = [...outboxMigrations, createOrders, createIdempotencyKeys, addOrganizations];
