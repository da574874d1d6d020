import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { Controller, Get, HttpException, Module, Post, ServiceUnavailableException } from '@nestjs/common';
import { DatabaseModule, Database } from '@shopflow/database';
import { currentContext } from '@shopflow/telemetry';
import { createTestDatabase, eventually, testLogger, type TestDatabase } from '@shopflow/testing';
import Type, { type Static } from 'typebox';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ListenError } from './start-up-fault.js';
import { Readiness } from './health/readiness.js';
import { signOrganizationToken } from './organization-token.js';
import { type RunningService, startService } from './start-service.js';
import { ValidBody, ValidQuery } from './valid-request.js';

const Note = Type.Object({ text: Type.String({ maxLength: 50 }), size: Type.Integer() });
const gate = { open: () => {}, entered: false };

@Controller('notes')
class NotesController {
  constructor(private readonly database: Database) {}

  @Post()
  write(@ValidBody(Note) note: Static<typeof Note>) {
    return { note, context: currentContext() };
  }

  @Get()
  find(@ValidQuery(Type.Object({ text: Type.String() })) query: { text: string }) {
    return query;
  }

  @Get('slow')
  async slow() {
    gate.entered = true;
    await new Promise<void>((resolve) => (gate.open = resolve));
    const { rows } = await this.database.query<{ one: number }>('SELECT 1 AS one');
    return rows[0];
  }

  @Get('defect')
  defect() {
    throw new Error('secret of the house');
  }

  @Get('teapot')
  teapot() {
    throw new HttpException('I am a teapot', 418);
  }

  @Get('away')
  async away() {
    await this.database.query('SELECT pg_terminate_backend(pg_backend_pid())');
  }

  @Get('closed')
  closed() {
    throw new ServiceUnavailableException('closed on Sundays');
  }
}

let db: TestDatabase;
let service: RunningService;
const logger = testLogger('notes', 'silent');
const KEY = 'a key of at least thirty-two characters';

const start = (port = 0) => {
  @Module({ imports: [DatabaseModule.forRoot({ url: db.url, applicationName: 'notes' })], controllers: [NotesController] })
  class NotesModule {}
  return startService({ name: 'notes', module: { module: NotesModule }, logger, host: '127.0.0.1', port, organizationKey: KEY });
};
const post = (body: BodyInit, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
  fetch(`${service.url}/notes`, { method: 'POST', body, headers });
const problemOf = async (answer: Response) => {
  expect(answer.headers.get('content-type')).toMatch('application/problem+json');
  return (await answer.json()) as { status: number; correlationId: string; errors?: { field: string }[]; detail: string; instance: string };
};

beforeAll(async () => {
  db = await createTestDatabase([]);
  service = await start();
});
afterAll(async () => {
  await service.stop();
  await db.drop();
});

it('makes a well-formed x-request-id the correlation id of everything below the request, body or not', async () => {
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const answer = await post('{"text":"hi","size":1}', { 'content-type': 'application/json', 'x-request-id': 'req-7f3a', traceparent });
  const context = { correlationId: 'req-7f3a', organizationId: 'shopflow', traceparent };
  expect(await answer.json()).toEqual({ note: { text: 'hi', size: 1 }, context });
  expect(answer.headers.get('x-request-id')).toBe('req-7f3a');
});

it('works for the organization that the token names, and for nobody when the token is bad', async () => {
  const write = (authorization: string) => post('{"text":"hi","size":1}', { 'content-type': 'application/json', authorization });
  const answer = await write(`Bearer ${await signOrganizationToken('mamaput', KEY, 1)}`);
  expect(await answer.json()).toMatchObject({ context: { organizationId: 'mamaput' } });
  const refused = await write('Bearer nonsense');
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  expect((await problemOf(refused)).detail).toMatch(/^The token is refused: it is no JWT signed with HS256\. Send `Authorization/);
});

it.each(['has space', 'x'.repeat(65), 'semi;colon'])('gives a request with the id %j a fresh one', async (id) => {
  const answer = await fetch(`${service.url}/health/live`, { headers: { 'x-request-id': id } });
  expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
});

it('logs one line per request with method, route, status and duration', async () => {
  const info = vi.spyOn(logger, 'info');
  await post('{"text":"hi","size":1}');
  const lines = await eventually(() => (info.mock.calls.length > 0 ? info.mock.calls : undefined));
  expect(lines).toEqual([[{ method: 'POST', route: '/notes', status: 201, ms: expect.any(Number) }, 'POST /notes 201']]);
  info.mockRestore();
});

it('writes the line of a request with the organization that it was of', async () => {
  const organizations: unknown[] = [];
  const info = vi.spyOn(logger, 'info').mockImplementation(() => void organizations.push(currentContext().organizationId));
  for (const authorization of [`Bearer ${await signOrganizationToken('mamaput', KEY, 1)}`, 'Bearer nonsense']) {
    await post('{"text":"hi","size":1}', { 'content-type': 'application/json', authorization });
    await eventually(() => organizations.length > 0);
  }
  expect(await eventually(() => organizations.length === 2 && organizations)).toEqual(['mamaput', undefined]);
  info.mockRestore();
});

it('answers a body with bad fields 400, all of them named', async () => {
  const answer = await post(JSON.stringify({ text: 'a\0b', size: 'big', colour: 'red' }), {
    'content-type': 'application/json',
    'x-request-id': 'req-1',
  });
  expect(await problemOf(answer)).toEqual({
    type: 'urn:shopflow:problem:invalid-request',
    title: 'The request has fields that are wrong',
    status: 400,
    detail: 'Wrong in the body: text, size, colour.',
    instance: '/notes',
    correlationId: 'req-1',
    errors: [
      { field: 'text', message: expect.stringContaining('NUL') },
      { field: 'size', message: 'must be a whole number' },
      { field: 'colour', message: 'is not a known field' },
    ],
  });
});

it('answers a request without a body by the fields that are missing', async () => {
  const answer = await fetch(`${service.url}/notes`, { method: 'POST' });
  expect((await problemOf(answer)).errors?.map(({ field }) => field)).toEqual(['text', 'size']);
});

it('checks the query string likewise, a repeated name and NUL included', async () => {
  expect(await (await fetch(`${service.url}/notes?text=hi`)).json()).toEqual({ text: 'hi' });
  for (const query of ['text=a&text=b', 'text=%00', 'other=1']) {
    const answer = await fetch(`${service.url}/notes?${query}`);
    expect([answer.status, (await problemOf(answer)).errors?.[0]?.field]).toEqual([400, 'text']);
  }
});

it.each([
  ['malformed JSON', '{"text":', {}, 400],
  ['a broken number', '{"size":1e}', {}, 400],
  ['a body that is too large', JSON.stringify({ text: 'x'.repeat(110_000) }), {}, 413],
  ['text', 'hi', { 'content-type': 'text/plain' }, 415],
  ['an unknown charset', '{}', { 'content-type': 'application/json; charset=ebcdic' }, 415],
  ['an unknown encoding', '{}', { 'content-encoding': 'zip' }, 415],
])('answers %s as a problem with a correlation id', async (_what, body, headers, status) => {
  const answer = await post(body, { 'content-type': 'application/json', 'x-request-id': 'req-2', ...headers });
  expect(await problemOf(answer)).toMatchObject({ status, correlationId: 'req-2', instance: '/notes' });
  expect(answer.status).toBe(status);
});

it('answers an unknown route 404 and a wrong method 405 with those that are allowed', async () => {
  const unknown = await fetch(`${service.url}/nowhere?secret=1`);
  expect(await problemOf(unknown)).toMatchObject({ status: 404, instance: '/nowhere' });
  const wrong = await fetch(`${service.url}/notes`, { method: 'DELETE' });
  expect(wrong.headers.get('allow')).toBe('GET, POST');
  expect(await problemOf(wrong)).toMatchObject({ status: 405 });
  expect((await fetch(`${service.url}/notes/%FF`)).status).toBe(404);
});

it('keeps the reason of a defect to the log', async () => {
  const error = vi.spyOn(logger, 'error');
  const answer = await fetch(`${service.url}/notes/defect`);
  expect(answer.status).toBe(500);
  expect(JSON.stringify(await problemOf(answer))).not.toContain('secret');
  expect(error.mock.calls[0]).toEqual([{ err: expect.objectContaining({ message: 'secret of the house' }) }, 'GET /notes/defect failed']);
  error.mockRestore();
});

it('passes on the status and the words of an error that was meant for the caller', async () => {
  expect(await problemOf(await fetch(`${service.url}/notes/teapot`))).toMatchObject({ status: 418, detail: 'I am a teapot' });
  expect(await problemOf(await fetch(`${service.url}/notes/closed`))).toMatchObject({ status: 503, detail: 'closed on Sundays' });
});

it('answers 503 with Retry-After while the database is away', async () => {
  const answer = await fetch(`${service.url}/notes/away`);
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
  expect((await problemOf(answer)).detail).toContain('again');
});

it('is live, and ready once the database and every added check answer', async () => {
  expect(await (await fetch(`${service.url}/health/live`)).json()).toEqual({ status: 'live' });
  const ready = await eventually(async () => {
    const answer = await fetch(`${service.url}/health/ready`);
    return answer.ok && answer.json();
  });
  expect(ready).toEqual({ status: 'ready', checks: ['database'] });
  service.app.get(Readiness).add('broker', () => Promise.reject(new Error('no broker')));
  const answer = await fetch(`${service.url}/health/ready`);
  expect(answer.status).toBe(503);
  expect((await problemOf(answer)).errors).toEqual([{ field: 'broker', message: 'no broker' }]);
});

it('names the port and its variable when the port is taken, and lets the database go', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  await expect(start(port)).rejects.toThrow(ListenError);
  await expect(start(port)).rejects.toThrow(new RegExp(`127.0.0.1:${port}: the port is taken.*PORT`));
  taken.close();
});

it('finishes a running request at the stop, drops idle connections, and closes the database after it', async () => {
  const other = await start();
  const idle = connect(Number(new URL(other.url).port), '127.0.0.1');
  await once(idle, 'connect');
  const answer = fetch(`${other.url}/notes/slow`);
  await eventually(() => gate.entered);
  const stopped = other.stop();
  await once(idle, 'close');
  await expect(fetch(`${other.url}/health/live`)).rejects.toThrow();
  gate.open();
  expect(await (await answer).json()).toEqual({ one: 1 });
  await stopped;
});
