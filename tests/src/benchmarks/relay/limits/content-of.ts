import { type ProducerRecord, type RecordContent, varintLength, writeVarint } from '@shopflow/kafka';

/** Key, value and headers as the record format has them. All are bytes or text, none null. */
export function contentOf({ key, value, headers }: ProducerRecord): RecordContent {
  const named = Object.entries(headers).flatMap(([name, header]) => [sized(name), sized(header as string | Buffer)]);
  const bytes = Buffer.concat([sized(key!), sized(value!), varint(Object.keys(headers).length), ...named]);
  return { bytes: bytes.length, write: (target, at) => void bytes.copy(target, at) };
}

function sized(content: string | Buffer): Buffer {
  const bytes = Buffer.from(content as string);
  return Buffer.concat([varint(bytes.length), bytes]);
}

function varint(value: number): Buffer {
  const bytes = Buffer.alloc(varintLength(value));
  writeVarint(bytes, 0, value);
  return bytes;
}
