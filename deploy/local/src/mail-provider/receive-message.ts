import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { answer } from './answer.js';
import type { Behaviour, Failure } from './behaviour.js';
import type { Inbox } from './inbox.js';
import { readMail, refusalOf } from './judge-message.js';
import { readJson } from './read-json.js';

/** `POST /messages`. The address is judged before anything else can go wrong, as the real provider does. */
export async function receiveMessage(
  request: IncomingMessage,
  response: ServerResponse,
  inbox: Inbox,
  behaviour: Behaviour,
): Promise<void> {
  if (behaviour.down) return void request.socket.destroy();
  const key = request.headers['idempotency-key'];
  const mail = readMail(await readJson(request));
  if (typeof key !== 'string' || key === '') return answer(response, 400, { error: 'Idempotency-Key required' });
  if (!mail) return answer(response, 400, { error: 'to, subject and text are required, all of them texts' });
  if (behaviour.delayMs > 0) await wait(behaviour.delayMs);
  const refusal = refusalOf(mail.to);
  if (refusal !== undefined) return answer(response, 422, { error: refusal });
  const failure = behaviour.takeFailure();
  if (failure !== undefined && failure !== 'hang-after-accepting') return fail(response, failure, behaviour.retryAfterSeconds);
  const accepted = inbox.accept(key, mail);
  if (failure === undefined) answer(response, 200, accepted);
}

/** A hang leaves the connection open until the caller gives up. */
function fail(response: ServerResponse, failure: Exclude<Failure, 'hang-after-accepting'>, retryAfterSeconds?: number): void {
  if (failure === 'hang') return;
  if (failure === 503) return answer(response, 503, { error: 'try again later' });
  if (retryAfterSeconds !== undefined) response.setHeader('retry-after', String(retryAfterSeconds));
  answer(response, 429, { error: 'too many messages' });
}
