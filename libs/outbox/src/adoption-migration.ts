// Who asked for a new slot must not be forgotten when the slot is there: rows are only ever added, and finished once.
const createAdoptions = `
CREATE TABLE relay_adoptions (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  who text NOT NULL,
  why text NOT NULL,
  since timestamptz(3),
  rows_at_request bigint,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  attempts integer NOT NULL DEFAULT 0,
  finished_at timestamptz(3),
  published bigint,
  skipped bigint
);
CREATE UNIQUE INDEX relay_adoptions_open ON relay_adoptions ((true)) WHERE finished_at IS NULL;

COMMENT ON TABLE relay_adoptions IS 'Each time that the outbox is read through a new slot: the first start, and what somebody decided after a slot was lost. An unfinished one is begun again.';
COMMENT ON COLUMN relay_adoptions.since IS 'Everything from there on is published first, whatever is known of it; null: only what is not known to be published.';
COMMENT ON COLUMN relay_adoptions.rows_at_request IS 'Events that it would have published first when it was asked for.';
COMMENT ON COLUMN relay_adoptions.attempts IS 'How often a relay began it; only the last one may finish it.';
COMMENT ON COLUMN relay_adoptions.published IS 'Events that were published first.';
COMMENT ON COLUMN relay_adoptions.skipped IS 'Events that were not, since consumers have forgotten them and they would take effect twice.';`;

/** What was decided about slots. */
export const adoptionMigration = { name: 'CreateAdoptions1764460800004', up: createAdoptions };
