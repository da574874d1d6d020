import type { QueryResultRow } from 'pg';
import { expect, it } from 'vitest';
import { findReplayed } from './find-replayed.js';

it('does not take an event for missing whose transaction becomes visible while it is looked up', async () => {
  let asked = 0; // the transaction becomes visible between the first and the second question
  const query = async <Row extends QueryResultRow>(text: string): Promise<Row[]> => {
    const visible = asked++ > 0;
    const row = text.includes('FROM outbox') ? { id: 'a', age_days: '0' } : { visible: visible ? 't' : 'f' };
    return (visible || !text.includes('FROM outbox') ? [row] : []) as unknown as Row[];
  };
  expect(await findReplayed(query, 'a', '7')).not.toHaveProperty('refused');
});

it.each([
  ['31.00001', 'refused'],
  ['31', 'row'],
])('an event that is %s days old is %s: consumers remember 45 days, and a copy lives for 14', async (age, answer) => {
  const query = async <Row extends QueryResultRow>(text: string): Promise<Row[]> =>
    [text.includes('FROM outbox') ? { id: 'a', age_days: age } : { visible: 't' }] as unknown as Row[];
  expect(await findReplayed(query, 'a', '7')).toHaveProperty(answer);
});
