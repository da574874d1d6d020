import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedKafka, readIdentity } from '@shopflow/servers';
import { eventually, testLogger } from '@shopflow/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectKafka } from './connect.js';
import { ensureTopics } from './ensure-topics.js';
import { GroupMember } from './group-member.js';
import { KafkaProducer } from './producer.js';

const SESSION_MS = 4_000;
const SETTINGS = { 'group.min.session.timeout.ms': String(SESSION_MS), 'group.initial.rebalance.delay.ms': '0' };

let dir: string;
let server: EmbeddedKafka;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'shopflow-silent-'));
  server = await EmbeddedKafka.start({ dir, settings: SETTINGS });
});
afterAll(async () => {
  await server?.remove();
  await rm(dir, { recursive: true, force: true });
});

it('keeps its partitions however long the work takes, and neither reads nor hangs when the broker falls silent', async () => {
  const { brokers } = server;
  const connection = { brokers, clientId: 'test', logger: testLogger() };
  await ensureTopics(connectKafka(connection), [{ topic: 'n.a', partitions: 1, retentionMs: 3_600_000 }]);
  const partition = { topic: 'a', partition: 0 };
  const seen = { assigned: 0, revoked: 0, received: 0 };
  const member: GroupMember = new GroupMember(
    { ...connection, namespace: 'n', group: 'g', topics: ['a'], sessionTimeoutMs: SESSION_MS },
    {
      assigned: () => {
        seen.assigned += 1;
        member.resume(partition);
      },
      revoked: () => void (seen.revoked += 1),
      received: () => {
        seen.received += 1;
        member.pause(partition);
        return true;
      },
    },
  );
  member.start();
  await eventually(() => seen.assigned === 1);
  const producer = await KafkaProducer.connect(connection);
  await producer.send([{ topic: 'n.a', key: 'k', value: 'slow', headers: {} }]);
  await producer.close();
  await eventually(() => seen.received === 1);
  const [before, began] = [{ ...seen }, Date.now()];
  await eventually(() => Date.now() - began > 1.25 * SESSION_MS);
  expect([seen, member.state]).toEqual([before, 'joined']);

  const { pid } = readIdentity(join(dir, 'kafka.pid'))!;
  process.kill(pid, 'SIGSTOP');
  await eventually(() => member.state === 'waiting', { timeoutMs: 3 * SESSION_MS });
  expect(member.live).toBe(true);
  const leaving = Date.now();
  await member.leave();
  expect(Date.now() - leaving).toBeLessThan(4_500);
  process.kill(pid, 'SIGCONT');
}, 60_000);
