import { KafkaGroup } from '@shopflow/consumer';
import { invoiceDelivered, invoiceIssued } from '@shopflow/contracts';
import { type RunningService, signOrganizationToken, startService } from '@shopflow/http';
import { eventually, testLogger } from '@shopflow/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Published, Surroundings } from './reminder-service.fixture.js';
import { ReminderModule } from './reminder.module.js';
import { runCommand } from './reminders-command.js';

// The service in this process, from Kafka to its own HTTP API.

const KEY = 'a-key-of-at-least-32-characters!';

let around: Surroundings;
let service: RunningService;
beforeAll(async () => {
  around = await Surroundings.start();
  const logger = testLogger('reminder', 'silent');
  const module = ReminderModule.forRoot(around.config(), logger);
  const options = { name: 'reminder', module, logger, host: '127.0.0.1', port: 0, strategy: KafkaGroup, organizationKey: KEY };
  service = await startService(options);
  await around.publish(...sent(1, 'shopflow'), ...sent(2, 'acme'), ...sent(3, 'acme'));
  const known = async () => (await around.db.database.query('SELECT FROM invoices WHERE delivered AND due_on IS NOT NULL')).count;
  await eventually(async () => (await known()) === 3);
});
afterAll(async () => {
  await service.stop();
  await around.stop();
});

function sent(invoiceId: number, organizationId: string): Published[] {
  const subject = { orderId: null, invoiceId, number: `INV-000${invoiceId}`, deliveryId: `delivery-${invoiceId}` };
  const particulars = { recipient: 'accounts@mamaput.ng', amountKobo: 4_500_000, dueOn: '2026-10-01' };
  return [
    { id: `issued-${invoiceId}`, contract: invoiceIssued, payload: { ...subject, ...particulars }, organizationId },
    {
      id: `sent-${invoiceId}`,
      contract: invoiceDelivered,
      payload: { ...subject, kind: 'invoice' },
      organizationId,
    },
  ];
}

async function get(path: string, organization?: string) {
  const token = organization === undefined ? undefined : await signOrganizationToken(organization, KEY, 1);
  const answer = await fetch(service.url + path, { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}
const command = (...args: string[]) => runCommand(around.db.database, args);

describe('the reminder service', () => {
  it('raises on request what a day owes, and nothing a second time', async () => {
    expect((await command('run', '--due', '2026-10-05T08:00:00Z')).lines).toEqual(['2026-10-05: 3 reminders raised']);
    expect((await command('run', '--due', '2026-10-05T08:00:00Z')).lines).toEqual(['2026-10-05: 0 reminders raised']);
  });

  it.each([[[]], [['run']], [['run', '--due', 'yesterday']], [['walk', '--due', '2026-10-05']], [['run', 'now', '--due', '2026-10-05']]])(
    'does not understand %j',
    async (args) => {
      await expect(command(...args)).rejects.toMatchObject({ name: 'UsageError' });
    },
  );

  it("shows an organization its own reminders, and no other's", async () => {
    const numbers = async (path: string, organization?: string) =>
      ((await get(path, organization)).body['reminders'] as { number: string }[]).map(({ number }) => number);
    expect(await numbers('/reminders')).toEqual(['INV-0001']);
    expect(await numbers('/reminders?day=2026-10-05', 'acme')).toEqual(['INV-0002', 'INV-0003']);
    expect(await numbers('/reminders?invoiceId=3&limit=1', 'acme')).toEqual(['INV-0003']);
    expect(await numbers('/reminders?invoiceId=1', 'acme')).toEqual([]);
    expect(await numbers('/reminders?day=2026-10-06', 'acme')).toEqual([]);
  });

  it.each(['/reminders?day=today', '/reminders?invoiceId=INV-1', '/reminders?limit=0'])('refuses %s', async (path) => {
    expect((await get(path)).status).toBe(400);
  });

  it('says when it runs next, and what became of the last run', async () => {
    const { body } = await get('/status/schedule', 'acme');
    expect(body).toMatchObject({ cron: '0 8 * * 1-5', lastRun: { dueAt: '2026-10-05T08:00:00.000Z', day: '2026-10-05', raised: 2 } });
    expect(body['nextRun']).toMatch(/^\d{4}-\d\d-\d\dT08:00:00\.000Z$/);
    expect((await get('/status/schedule')).body).toMatchObject({ lastRun: { raised: 1 } });
  });
});
