/** A service did not answer as its API says. */
export class UnexpectedAnswerError extends Error {
  constructor(method: string, url: string, status: number, body: string) {
    super(`${method} ${url} answered ${status}: ${body.slice(0, 500)}`);
    this.name = 'UnexpectedAnswerError';
  }
}

const JSON_BODY = { 'content-type': 'application/json' };
const TIMEOUT_MS = 10_000;

/** @throws UnexpectedAnswerError unless the status is a 2xx */
export const getJson = <T>(url: string): Promise<T> => ask<T>(url, { method: 'GET' });

/** @throws UnexpectedAnswerError unless the status is a 2xx */
export const postJson = <T>(url: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<T> =>
  ask<T>(url, { method: 'POST', body: JSON.stringify(body), headers: { ...JSON_BODY, ...headers } });

/** @throws UnexpectedAnswerError unless the status is a 2xx */
export const patchJson = <T>(url: string, body: unknown): Promise<T> =>
  ask<T>(url, { method: 'PATCH', body: JSON.stringify(body), headers: JSON_BODY });

async function ask<T>(url: string, request: RequestInit & { method: string }): Promise<T> {
  const response = await fetch(url, { ...request, signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new UnexpectedAnswerError(request.method, url, response.status, await response.text());
  return (await response.json()) as T;
}
