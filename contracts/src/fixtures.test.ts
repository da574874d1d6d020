import { describe, expect, it } from 'vitest';
import { events } from './events.js';
import { readFixtures } from './fixtures.js';
import { readPayload } from './read-payload.js';

const fixtures = events.flatMap((event) =>
  readFixtures(event).map((fixture) => ({ event, ...fixture, name: `${event.type} ${fixture.file}` })),
);

describe('every payload that was ever published', () => {
  it.each(fixtures)('reads to the latest version: $name', ({ event, version, payload }) => {
    const read = readPayload(event, version, payload);
    expect(event.payload.invalidFields(read)).toEqual([]);
    expect(event.payload.unknownFields(read)).toEqual([]);
  });

  it.each(fixtures)('reads to the same each time, and is not changed by it: $name', ({ event, version, payload }) => {
    const before = structuredClone(payload);
    const first = readPayload(event, version, payload);
    expect(readPayload(event, version, structuredClone(payload))).toEqual(first);
    expect(payload).toEqual(before);
  });

  it.each(fixtures)('reads the same once it is in the latest version: $name', ({ event, version, payload }) => {
    const read = readPayload(event, version, payload);
    expect(readPayload(event, event.latest.number, read)).toEqual(read);
  });
});

it('has a fixture for every version of every event', () => {
  const missing = events.flatMap(({ type, versions }) =>
    versions
      .filter(({ number }) => !fixtures.some((f) => f.event.type === type && f.version === number))
      .map((v) => `${type} v${v.number}`),
  );
  expect(missing).toEqual([]);
});
