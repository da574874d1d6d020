import type { IncomingMessage } from 'node:http';

const LIMIT_BYTES = 1_000_000;

/** The request's JSON; undefined when it is not JSON or longer than 1 MB. An empty body is an empty object. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= LIMIT_BYTES) chunks.push(chunk);
  }
  if (size > LIMIT_BYTES) return undefined;
  if (size === 0) return {};
  return parse(Buffer.concat(chunks).toString());
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // not JSON: the caller answers 400
  }
}
