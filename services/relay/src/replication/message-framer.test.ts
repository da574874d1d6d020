import { expect, it } from 'vitest';
import { MessageFramer } from './message-framer.js';

const message = (type: string, body: string) => {
  const head = Buffer.alloc(5, type);
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, Buffer.from(body)]);
};
const messages = ['', 'a', 'x'.repeat(300), '', 'end'].map((body) => message('d', body));
const bytes = Buffer.concat(messages);

it.each([1, 2, 3, 7, 64, bytes.length])('gives every message whole when the bytes come %i at a time', (size) => {
  const framer = new MessageFramer();
  const bodies: string[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    framer.push(Buffer.from(bytes.subarray(at, at + size)), (type, chunk, start, end) =>
      bodies.push(String.fromCharCode(type) + chunk.toString('utf8', start, end)),
    );
  }
  expect(bodies).toEqual(['d', 'da', `d${'x'.repeat(300)}`, 'd', 'dend']);
});

it('gives bodies that stay what they were when later bytes arrive', () => {
  const framer = new MessageFramer();
  const bodies: Buffer[] = [];
  for (const part of [bytes.subarray(0, 150), bytes.subarray(150)])
    framer.push(Buffer.from(part), (_, chunk, start, end) => bodies.push(chunk.subarray(start, end)));
  framer.push(message('d', 'y'.repeat(500)), () => {});
  expect(bodies.map((body) => body.length)).toEqual([0, 1, 300, 0, 3]);
  expect(String(bodies[2])).toBe('x'.repeat(300));
});
