import type { Migration } from '@shopflow/database';
import { adoptionMigration } from './adoption-migration.js';
import { setAsideMigration } from './set-aside-migration.js';

// Column names id, aggregatetype, aggregateid, type and payload are those of Debezium's Outbox Event Router, so that a
// stock connector can read the table in place of our relay.
const createOutbox = `
CREATE TABLE outbox (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL UNIQUE DEFAULT uuidv7()::text CHECK (octet_length(id) BETWEEN 1 AND 200),
  aggregatetype text NOT NULL DEFAULT 'order',
  aggregateid text NOT NULL CHECK (octet_length(aggregateid) BETWEEN 1 AND 200),
  type text NOT NULL CHECK (octet_length(type) BETWEEN 1 AND 200),
  version integer NOT NULL CHECK (version >= 1),
  topic text NOT NULL CHECK (topic ~ '^[A-Za-z0-9._-]{1,180}$'),
  payload jsonb NOT NULL,
  organization_id text NOT NULL DEFAULT 'shopflow',
  correlation_id text,
  causation_id text,
  traceparent text,
  tracestate text,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  xid xid8 NOT NULL DEFAULT pg_current_xact_id()
);
CREATE INDEX outbox_xid ON outbox (xid);

COMMENT ON TABLE outbox IS 'Events to publish, written with the change that they tell of. The relay reads inserts from the write-ahead log.';
COMMENT ON COLUMN outbox.aggregateid IS 'Kafka key: the order id.';
COMMENT ON COLUMN outbox.topic IS 'Logical topic; the relay puts the namespace in front.';
COMMENT ON COLUMN outbox.xid IS 'Transaction that wrote the row: says with relay_progress whether it is published.';

CREATE TABLE outbox_replays (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  event_id text NOT NULL,
  who text NOT NULL,
  why text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  xid xid8 NOT NULL DEFAULT pg_current_xact_id()
);
CREATE INDEX outbox_replays_xid ON outbox_replays (xid);

COMMENT ON TABLE outbox_replays IS 'Requests to publish an event of the outbox once more, with the same id. Who took charge of it before answers duplicate.';

CREATE TABLE relay_progress (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  slot text NOT NULL,
  system_identifier text NOT NULL,
  snapshot pg_snapshot NOT NULL,
  lsn pg_lsn NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

COMMENT ON TABLE relay_progress IS 'Up to where the relay has published: every row whose xid is visible in the snapshot. The cluster that the xids belong to is system_identifier.';

CREATE PUBLICATION shopflow_outbox FOR TABLE outbox, outbox_replays WITH (publish = 'insert');`;

// Rows that the snapshot's xmin covers are published; only those from there on need the exact test, and the index finds them.
const createViews = `
CREATE VIEW outbox_state AS
SELECT o.seq, o.id, o.type, o.version, o.aggregateid, o.topic, o.correlation_id, o.created_at,
  CASE WHEN p.snapshot IS NOT NULL AND pg_visible_in_snapshot(o.xid, p.snapshot) THEN 'published' ELSE 'waiting' END AS state
FROM outbox o LEFT JOIN relay_progress p ON true;

CREATE VIEW outbox_replays_state AS
SELECT r.seq, r.event_id, r.who, r.why, r.created_at,
  CASE WHEN p.snapshot IS NOT NULL AND pg_visible_in_snapshot(r.xid, p.snapshot) THEN 'published' ELSE 'waiting' END AS state
FROM outbox_replays r LEFT JOIN relay_progress p ON true;

CREATE VIEW outbox_backlog AS
SELECT
  count(w.created_at)::bigint AS waiting,
  min(w.created_at) AS oldest_at,
  coalesce(extract(epoch FROM clock_timestamp() - min(w.created_at)), 0)::double precision AS oldest_age_seconds,
  (SELECT updated_at FROM relay_progress) AS relay_seen_at
FROM (
  SELECT created_at, xid FROM outbox WHERE xid >= coalesce((SELECT pg_snapshot_xmin(snapshot) FROM relay_progress), '0'::xid8)
  UNION ALL
  SELECT created_at, xid FROM outbox_replays WHERE xid >= coalesce((SELECT pg_snapshot_xmin(snapshot) FROM relay_progress), '0'::xid8)
) w
WHERE NOT coalesce(pg_visible_in_snapshot(w.xid, (SELECT snapshot FROM relay_progress)), false);

COMMENT ON VIEW outbox_state IS 'Each event with its state, published or waiting. True with the relay dead too; up to two seconds late while it runs.';
COMMENT ON VIEW outbox_backlog IS 'One row: how many events and replays wait, since when (seconds), and when the relay last reported.';`;

/** Tables, publication and views of a service that publishes events. First in the service's own list of migrations. */
export const outboxMigrations: readonly Migration[] = [
  { name: 'CreateOutbox1764460800001', up: createOutbox },
  { name: 'CreateOutboxViews1764460800002', up: createViews },
  setAsideMigration,
  adoptionMigration,
];
