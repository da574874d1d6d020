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
];
