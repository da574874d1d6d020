// Not in the publication: the relay writes these rows itself, and learns of decisions by a message in the log.
const createSetAside = `
CREATE TABLE outbox_set_aside (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  event_id text NOT NULL,
  topic text NOT NULL,
  key text NOT NULL,
  reason text,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'published', 'discarded')),
  set_aside_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  refused_at timestamptz(3) CHECK ((refused_at IS NULL) = (reason IS NULL)),
  decided_at timestamptz(3) CHECK ((decided_at IS NULL) = (state = 'waiting')),
  xid xid8 NOT NULL DEFAULT pg_current_xact_id()
);
CREATE UNIQUE INDEX outbox_set_aside_waiting_event ON outbox_set_aside (event_id) WHERE state = 'waiting';
CREATE INDEX outbox_set_aside_waiting ON outbox_set_aside (topic, key, seq) WHERE state = 'waiting';
CREATE INDEX outbox_set_aside_event ON outbox_set_aside (event_id, seq DESC);
CREATE INDEX outbox_set_aside_decided ON outbox_set_aside (decided_at) WHERE state <> 'waiting';

COMMENT ON TABLE outbox_set_aside IS 'Events that Kafka refuses, each alone, and behind them those of the same topic and key, in the order of seq.';
COMMENT ON COLUMN outbox_set_aside.topic IS 'Logical topic, as in outbox.';
COMMENT ON COLUMN outbox_set_aside.key IS 'Kafka key: aggregateid of the outbox.';
COMMENT ON COLUMN outbox_set_aside.reason IS 'Why Kafka refused it; null: it only waits behind another one.';
COMMENT ON COLUMN outbox_set_aside.refused_at IS 'When Kafka refused it last.';
COMMENT ON COLUMN outbox_set_aside.decided_at IS 'When it was published or discarded.';
COMMENT ON COLUMN outbox_set_aside.xid IS 'Once all transactions up to this one are visible, a missing outbox row is gone and not only early.';

CREATE TABLE outbox_set_aside_decisions (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  set_aside_seq bigint NOT NULL,
  event_id text NOT NULL,
  topic text NOT NULL,
  key text NOT NULL,
  what text NOT NULL CHECK (what IN ('retry', 'discard')),
  who text NOT NULL,
  why text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  xid xid8 NOT NULL DEFAULT pg_current_xact_id()
);
CREATE INDEX outbox_set_aside_decisions_entry ON outbox_set_aside_decisions (set_aside_seq, seq DESC);

COMMENT ON TABLE outbox_set_aside_decisions IS 'Append-only: who decided what about an event that was set aside, and why. Outlives the entry that it names.';
COMMENT ON COLUMN outbox_set_aside_decisions.xid IS 'Says with relay_progress whether the relay has acted on it.';

CREATE OR REPLACE VIEW outbox_state AS
SELECT o.seq, o.id, o.type, o.version, o.aggregateid, o.topic, o.correlation_id, o.created_at,
  CASE
    WHEN a.state = 'waiting' THEN 'set aside'
    WHEN a.state = 'discarded' THEN 'discarded'
    WHEN p.snapshot IS NOT NULL AND pg_visible_in_snapshot(o.xid, p.snapshot) THEN 'published'
    ELSE 'waiting'
  END AS state
FROM outbox o
LEFT JOIN relay_progress p ON true
LEFT JOIN (SELECT DISTINCT ON (event_id) event_id, state FROM outbox_set_aside ORDER BY event_id, seq DESC) a ON a.event_id = o.id;

COMMENT ON VIEW outbox_state IS 'Each event with its state: published, waiting, set aside (Kafka refuses it, or one before it) or discarded. True with the relay dead too; up to two seconds late while it runs.';`;

/** What the relay sets aside, what people decided about it, and both in the view of the events' states. */
export const setAsideMigration = { name: 'CreateSetAside1764460800003', up: createSetAside };
