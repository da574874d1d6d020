import { consumerMigrations } from '@shopflow/consumer';
import type { Migration } from '@shopflow/database';

const createRevenue: Migration = {
  name: 'CreateRevenue1764460800202',
  up: `
    CREATE TABLE revenue (
      day        date NOT NULL,
      channel    text NOT NULL,
      total_kobo bigint NOT NULL,
      orders     bigint NOT NULL,
      PRIMARY KEY (day, channel)
    );
    COMMENT ON COLUMN revenue.day IS 'UTC date on which the order was placed';
    COMMENT ON COLUMN revenue.orders IS 'orders placed that day and not cancelled since';

    CREATE TABLE counted_orders (
      order_id   text PRIMARY KEY,
      day        date,
      channel    text,
      total_kobo bigint,
      cancelled  boolean NOT NULL
    );
    COMMENT ON COLUMN counted_orders.day IS
      'null: cancelled before it was counted (its order.created was a dead letter and may be replayed)';`,
};

export const migrations: readonly Migration[] = [...consumerMigrations, createRevenue];
