import type { Migration } from '@shopflow/database';

/** The tables of every consuming service, in the service's own database. `consumer` is the group, in every key. */
export const consumerMigrations: readonly Migration[] = [
  {
    name: 'CreateConsumer1764460800101',
    up: `
      CREATE TABLE processed_events (
        consumer     text NOT NULL,
        source       text NOT NULL,
        event_id     text NOT NULL,
        processed_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (consumer, source, event_id)
      );
      COMMENT ON TABLE processed_events IS 'this group has taken charge of the event: its effects, or its dead letter, are in this database';

      CREATE TABLE consumed_offsets (
        consumer    text NOT NULL,
        topic       text NOT NULL,
        partition   integer NOT NULL,
        next_offset bigint NOT NULL,
        PRIMARY KEY (consumer, topic, partition)
      );
      COMMENT ON COLUMN consumed_offsets.next_offset IS 'everything before it is in this database';

      CREATE TABLE dead_letters (
        consumer         text NOT NULL,
        source           text NOT NULL,
        event_id         text NOT NULL,
        subject          text NOT NULL DEFAULT '',
        seq              bigint GENERATED ALWAYS AS IDENTITY,
        type             text,
        version          integer,
        order_id         text,
        correlation_id   text,
        topic            text NOT NULL,
        partition        integer NOT NULL,
        "offset"         bigint NOT NULL,
        record_time      timestamptz NOT NULL,
        key              bytea,
        value            bytea,
        headers          json NOT NULL,
        attempts         integer NOT NULL,
        error_kind       text NOT NULL,
        reason           text NOT NULL,
        first_failed_at  timestamptz NOT NULL,
        last_failed_at   timestamptz NOT NULL,
        state            text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'replayed', 'discarded')),
        published_at     timestamptz,
        PRIMARY KEY (consumer, source, event_id, subject)
      );
      COMMENT ON COLUMN dead_letters.subject IS 'what died: empty for the event itself, else a part of its work, such as delivery';
      COMMENT ON COLUMN dead_letters.headers IS 'name to base64, or to an array of them when the header is repeated';
      COMMENT ON COLUMN dead_letters.published_at IS 'when its record was written to <group>.dlq';
      CREATE INDEX dead_letters_to_publish ON dead_letters (consumer, seq) WHERE published_at IS NULL;
      CREATE INDEX dead_letters_open ON dead_letters (consumer, seq) WHERE state = 'open';

      CREATE TABLE dead_letter_actions (
        seq      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        consumer text NOT NULL,
        source   text NOT NULL,
        event_id text NOT NULL,
        subject  text NOT NULL,
        action   text NOT NULL CHECK (action IN ('replay', 'discard', 'edit')),
        who      text NOT NULL,
        why      text NOT NULL,
        at       timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX dead_letter_actions_letter ON dead_letter_actions (consumer, source, event_id, subject);`,
  },
  {
    name: 'CreateHeldEvents1764460800102',
    up: `
      CREATE TABLE held_keys (
        consumer text NOT NULL,
        topic    text NOT NULL,
        key      bytea NOT NULL,
        due_at   timestamptz NOT NULL,
        deaths   integer NOT NULL DEFAULT 0,
        PRIMARY KEY (consumer, topic, key)
      );
      COMMENT ON TABLE held_keys IS 'keys whose events wait in held_events; the row is the lock of its key';
      COMMENT ON COLUMN held_keys.due_at IS 'when its head is tried again; infinity behind a dead head that blocks';
      COMMENT ON COLUMN held_keys.deaths IS 'heads that died in a row, without a success between';
      CREATE INDEX held_keys_due ON held_keys (consumer, due_at);

      CREATE TABLE held_events (
        consumer        text NOT NULL,
        source          text NOT NULL,
        event_id        text NOT NULL,
        topic           text NOT NULL,
        key             bytea NOT NULL,
        seq             bigint GENERATED ALWAYS AS IDENTITY,
        type            text,
        version         integer,
        order_id        text,
        correlation_id  text,
        partition       integer NOT NULL,
        "offset"        bigint NOT NULL,
        record_time     timestamptz NOT NULL,
        record_key      bytea,
        value           bytea,
        headers         json NOT NULL,
        attempts        integer NOT NULL,
        starts          integer NOT NULL DEFAULT 0,
        due_at          timestamptz NOT NULL,
        state           text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'dead')),
        waits_for       text NOT NULL CHECK (waits_for IN ('its turn', 'retry', 'newer code', 'a decision')),
        reason          text,
        first_failed_at timestamptz,
        last_failed_at  timestamptz,
        PRIMARY KEY (consumer, source, event_id),
        FOREIGN KEY (consumer, topic, key) REFERENCES held_keys
      );
      COMMENT ON COLUMN held_events.key IS 'of held_keys: the record''s own, its event id where it has none, a hash where it is long';
      COMMENT ON COLUMN held_events.seq IS 'the order within a key; the first is its head';
      COMMENT ON COLUMN held_events.starts IS 'tries that began and have neither succeeded nor failed: with their process still running, or lost with it';
      CREATE INDEX held_events_of_key ON held_events (consumer, topic, key, seq);
      CREATE INDEX held_events_newer ON held_events (consumer, type, version) WHERE waits_for = 'newer code';

      ALTER TABLE consumed_offsets ADD starts integer NOT NULL DEFAULT 0, ADD suspect_until bigint NOT NULL DEFAULT 0;
      COMMENT ON COLUMN consumed_offsets.starts IS 'how often work began at next_offset without having ended';
      COMMENT ON COLUMN consumed_offsets.suspect_until IS 'an event before it may have ended a process';

      ALTER TABLE dead_letters ADD cause text NOT NULL DEFAULT '';
      COMMENT ON COLUMN dead_letters.cause IS 'what letters of one cause have in common: the error and where it came from, without what differs from event to event';
      CREATE INDEX dead_letters_cause ON dead_letters (consumer, cause) WHERE state = 'open';

      ALTER TABLE dead_letter_actions ADD edited_value bytea;
      COMMENT ON COLUMN dead_letter_actions.edited_value IS 'of an edit: the value that was replayed in place of the letter''s own';`,
  },
  {
    name: 'CreateGroupPauses1764460800103',
    up: `
      CREATE TABLE group_pauses (
        consumer text PRIMARY KEY,
        who      text NOT NULL,
        why      text NOT NULL,
        at       timestamptz NOT NULL
      );
      COMMENT ON TABLE group_pauses IS 'groups that handle nothing until somebody resumes them; their members look here';

      CREATE TABLE group_actions (
        seq      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        consumer text NOT NULL,
        action   text NOT NULL CHECK (action IN ('pause', 'resume', 'rebuild')),
        who      text NOT NULL,
        why      text NOT NULL,
        at       timestamptz NOT NULL
      );
      COMMENT ON TABLE group_actions IS 'append-only: what operators did to a group';`,
  },
];
