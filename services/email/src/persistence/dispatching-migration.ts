import type { Migration } from '@shopflow/database';

/** What the dispatchers of all instances share, and the indexes that a claim goes by. */
export const createDispatching: Migration = {
  name: 'CreateDispatching1764460800213',
  up: `
    CREATE TABLE dispatching (
      one               boolean PRIMARY KEY DEFAULT true CHECK (one),
      turn              text NOT NULL DEFAULT '',
      failing           text[] NOT NULL DEFAULT '{}',
      failing_since     timestamptz,
      open_since        timestamptz,
      probe_at          timestamptz,
      probe_wait_ms     integer NOT NULL DEFAULT 0,
      probe_id          text,
      probe_until       timestamptz,
      CHECK ((open_since IS NULL) = (probe_at IS NULL)),
      CHECK ((probe_id IS NULL) = (probe_until IS NULL))
    ) WITH (fillfactor = 50);
    INSERT INTO dispatching DEFAULT VALUES;
    COMMENT ON TABLE dispatching IS 'One row, which whoever claims deliveries or writes results down locks first: whose turn it is, and the breaker for an outage of the mail provider.';
    COMMENT ON COLUMN dispatching.turn IS 'Organization that was served last; the next claim begins behind it.';
    COMMENT ON COLUMN dispatching.failing IS 'Different deliveries that failed in a row by the provider''s fault, at most as many as open the breaker.';
    COMMENT ON COLUMN dispatching.failing_since IS 'The first of these failures.';
    COMMENT ON COLUMN dispatching.open_since IS 'The breaker is open since then, nothing is sent; null: closed.';
    COMMENT ON COLUMN dispatching.probe_at IS 'From then on one delivery is tried.';
    COMMENT ON COLUMN dispatching.probe_wait_ms IS 'How long the breaker waited for that; doubles from probe to probe.';
    COMMENT ON COLUMN dispatching.probe_id IS 'The delivery that is being tried.';
    COMMENT ON COLUMN dispatching.probe_until IS 'Its worker is given up then, and another delivery is tried.';

    CREATE INDEX deliveries_turn ON deliveries (organization_id, due_at, id) WHERE status = 'queued';
    DROP INDEX deliveries_due;
    -- The few rows that run now. By a hash, new entries meet the dead ones of earlier rows and clear them away: by time, every
    -- look would walk over all that died since the last vacuum.
    CREATE INDEX deliveries_running_now ON deliveries (hashtext(id)) WHERE status = 'running';
    DROP INDEX deliveries_running;
    ALTER TABLE deliveries SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000);
    COMMENT ON COLUMN deliveries.locked_by IS 'The worker and which of its claims: no two claims have the same.';`,
};
