import { expect, it } from 'vitest';
import { countInserts } from './count-inserts.js';

const framed = (type: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};

const output = (body: Buffer): Buffer => framed('d', Buffer.concat([Buffer.from('w'), Buffer.alloc(24), body]));

/** An insert of a text and a NULL. */
const insert = (text: string): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.length);
  return output(Buffer.concat([Buffer.from('I\0\0\0\x01N\0\x02t'), length, Buffer.from(text), Buffer.from('n')]));
};

it('tells of each inserted row once, however the stream is cut', () => {
  const stream = Buffer.concat([output(Buffer.from('B')), insert('one'), insert('three'), output(Buffer.from('C')), insert('')]);
  for (const size of [1, 7, 50, stream.length]) {
    const seen: number[] = [];
    const push = countInserts((bytes) => seen.push(bytes));
    for (let at = 0; at < stream.length; at += size) push(stream.subarray(at, at + size));
    expect(seen).toEqual([3, 5, 0]);
  }
});

it('says what the server says when it ends the stream', () => {
  expect(() => countInserts(() => {})(framed('E', Buffer.from('no such slot')))).toThrow('no such slot');
});
