import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answer } from './answer.js';
import { Behaviour, faultsIn, type Orders } from './behaviour.js';
import { Inbox, type Mail } from './inbox.js';
import { readJson } from './read-json.js';
import { receiveMessage } from './receive-message.js';
import { type Stats, Traffic } from './traffic.js';

export type { Failure, Orders } from './behaviour.js';
export type { Mail } from './inbox.js';
export type { Stats } from './traffic.js';

/** A running provider, and what a test may ask it without HTTP. */
export interface MailProvider {
  readonly url: string;
  /** The e-mails that customers received, in order. */
  inbox(): Mail[];
  stats(): Stats;
  control(orders: Orders): void;
  /** Cuts what is open and stops listening. */
  stop(): Promise<void>;
}

/**
 * Another company's mail service, played on a real HTTP port: it judges addresses, honours `Idempotency-Key`, and can
 * be told to fail, hang, be slow or be down.
 *
 * @param options.file keeps what was accepted from start to start; in memory alone when left out
 */
export async function startMailProvider(options: { port?: number; host?: string; file?: string } = {}): Promise<MailProvider> {
  const { port = 0, host = '127.0.0.1', file } = options;
  const parts: Parts = { inbox: new Inbox(file), behaviour: new Behaviour(), traffic: new Traffic() };
  const server = createServer((request, response) => void route(request, response, parts));
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    inbox: () => parts.inbox.list(),
    stats: () => parts.traffic.stats(),
    control: (orders) => follow(orders, parts),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Parts {
  readonly inbox: Inbox;
  readonly behaviour: Behaviour;
  readonly traffic: Traffic;
}

async function route(request: IncomingMessage, response: ServerResponse, parts: Parts): Promise<void> {
  try {
    await handlerOf(request)(request, response, parts);
  } catch (error) {
    // The caller went away in the middle of its request, or this simulator has a fault: say so if anybody still listens.
    if (!response.headersSent) answer(response, 500, { error: String(error) });
  }
}

type Handler = (request: IncomingMessage, response: ServerResponse, parts: Parts) => Promise<void> | void;

function handlerOf({ method, url = '/' }: IncomingMessage): Handler {
  return routes[`${method} ${url.split('?')[0]}`] ?? ((_request, response) => answer(response, 404, { error: 'no such resource' }));
}

const routes: Record<string, Handler> = {
  'POST /messages': async (request, response, { inbox, behaviour, traffic }) => {
    traffic.enter();
    response.once('close', () => traffic.leave());
    await receiveMessage(request, response, inbox, behaviour);
  },
  'POST /control': async (request, response, parts) => {
    const orders = await readJson(request);
    const faults = faultsIn(orders);
    if (faults.length > 0) return answer(response, 400, { error: `not understood: ${faults.join(', ')}` });
    follow(orders as Orders, parts);
    answer(response, 200, { followed: orders });
  },
  'GET /inbox': (_request, response, { inbox }) => answer(response, 200, inbox.list()),
  'GET /stats': (_request, response, { traffic }) => answer(response, 200, traffic.stats()),
  'GET /health/live': (_request, response) => answer(response, 200, { status: 'ok' }),
  'GET /health/ready': (_request, response) => answer(response, 200, { status: 'ok' }),
};

function follow(orders: Orders, { inbox, behaviour, traffic }: Parts): void {
  if (orders.reset) inbox.clear();
  if (orders.reset) traffic.reset();
  behaviour.follow(orders);
}
