import { Problem } from '@shopflow/http';

const VISIBLE = /^[\x21-\x7e]{1,200}$/;

/**
 * The request's `Idempotency-Key`, or undefined when there is none.
 * @throws Problem 400 for a key that is empty, too long, repeated or not visible ASCII
 */
export function readIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined || VISIBLE.test(header)) return header;
  const message = 'must be 1 to 200 visible ASCII characters, without spaces';
  throw new Problem({
    status: 400,
    kind: 'invalid-request',
    title: 'The request has fields that are wrong',
    detail: 'Wrong in the headers: Idempotency-Key.',
    errors: [{ field: 'Idempotency-Key', message }],
  });
}
