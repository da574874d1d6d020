import { createTestDatabase, type TestDatabase } from '@shopflow/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { clientOf, together } from './index.js';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase([]);
});
afterAll(() => test.drop());

const shutDown = `DO $$ BEGIN RAISE EXCEPTION 'going down' USING ERRCODE = 'admin_shutdown'; END $$`;
/** As a function that awaits what others await: its failure comes later than the server said it. */
const behindPromises = <T>(answer: Promise<T>): Promise<T> => [1, 2, 3, 4, 5].reduce((behind) => behind.then((value) => value), answer);
type Client = Awaited<ReturnType<typeof clientOf>>;
const inTransaction = <T>(work: (client: Client) => Promise<T>) => test.database.inTransaction(async (tx) => work(await clientOf(tx)));

it('gives what each statement answered, in their order', async () => {
  const answers = await inTransaction(async (client) => {
    return together([client.query<{ n: number }>('SELECT 1 AS n'), undefined, client.query<{ n: number }>('SELECT 2 AS n')]);
  });
  expect(answers.map((answer) => answer?.rows)).toEqual([[{ n: 1 }], undefined, [{ n: 2 }]]);
});

it('tells of the statement that failed, not of those that were refused behind it', async () => {
  const failing = inTransaction(async (client) => {
    await together([behindPromises(client.query(shutDown)), client.query('SELECT 1'), client.query('SELECT 2')]);
  });
  await expect(failing).rejects.toMatchObject({ code: '57P01', message: 'going down' });
});

it('ends only when every statement has its answer', async () => {
  const answered: string[] = [];
  const note = (what: string) => () => void answered.push(what);
  const failing = inTransaction(async (client) => {
    await together([client.query(shutDown), behindPromises(client.query('SELECT 1')).then(note('answered'), note('refused'))]);
  });
  await expect(failing).rejects.toMatchObject({ code: '57P01' });
  expect(answered).toEqual(['refused']);
});
