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

it('reads a message that is larger than its buffer, and gives the room back behind it', () => {
  const framer = new MessageFramer();
  const usual = framer.room.length;
  const bodies: string[] = [];
  const read = (part: Buffer) =>
    framer.push(part, (_, chunk, start, end) => {
      bodies.push(chunk.toString('utf8', start, end));
    });
  read(Buffer.concat([message('d', 'before'), message('d', 'x'.repeat(3_000_000)), message('d', 'after')]));
  expect(bodies.map((body) => body.length)).toEqual([6, 3_000_000, 5]);
  read(message('d', 'next'));
  expect(bodies.at(-1)).toBe('next');
  expect(framer.room.length).toBe(usual);
});

it('reads what was written into its room', () => {
  const framer = new MessageFramer();
  const bodies: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const count = bytes.copy(framer.room.subarray(0, 100), 0, at);
    framer.received(count, (_, chunk, start, end) => bodies.push(chunk.toString('utf8', start, end)));
    at += count;
  }
  expect(bodies).toEqual(['', 'a', 'x'.repeat(300), '', 'end']);
});
