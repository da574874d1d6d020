import Type from 'typebox';
import { expect, it } from 'vitest';
import { defineEvent } from './contract.js';
import { events } from './events.js';
import { topics } from './topics.js';
import { upcast, version } from './version.js';

const schema = Type.Object({ orderId: Type.String() });
const v1 = version(1, schema, 'First release.');
const v3 = version(3, schema, 'Third release.');

it('refuses versions that are not 1, 2, 3 …', () => {
  const definition = { type: 'example.happened', topic: topics.orders, summary: '', versions: [v1, v3] } as const;
  expect(() => defineEvent(definition)).toThrow('example.happened: version 3 stands at place 2; versions are 1, 2, 3 …');
});

it('refuses an upcaster over two versions', () => {
  expect(() => upcast(v1, v3, (payload) => payload)).toThrow('upcast goes one version at a time, not v1 to v3');
});

it('gives every event a name of its own in the past tense, a meaning, and a key that its payload has', () => {
  expect(new Set(events.map(({ type }) => type)).size).toBe(events.length);
  for (const { type, summary, key, latest } of events) {
    expect(type).toMatch(/^[a-z]+\.(?:[a-z]+-)*[a-z]*(?:ed|sent|paid)$/);
    expect(summary).not.toBe('');
    expect(latest.schema.properties).toHaveProperty(key);
  }
});

it('gives every field of every version its meaning', () => {
  const without = events.flatMap(({ type, versions }) => versions.flatMap((v) => undescribed(v.schema, `${type} v${v.number}`)));
  expect(without).toEqual([]);
});

interface Described {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Described>>;
  readonly anyOf?: readonly Described[];
}

function undescribed({ description, properties, anyOf }: Described, path: string): string[] {
  if (properties) return Object.entries(properties).flatMap(([name, field]) => undescribed(field, `${path} ${name}`));
  return (description ?? anyOf?.some((choice) => choice.description)) ? [] : [path];
}
