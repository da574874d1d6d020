import type { ProducerRecord } from '@shopflow/kafka';

/** Kept at most. */
const MOST = { records: 10_000, bytes: 64_000_000 };
/** Taken at once at most; the first record is always taken. */
const PAGE = { records: 500, bytes: 4_000_000 };

/** Records that wait to be sent, oldest first. Bounded: what does not fit is refused. */
export class WaitingRecords {
  private records: { readonly record: ProducerRecord; readonly bytes: number }[] = [];
  private bytes = 0;
  private refused = false;

  get length(): number {
    return this.records.length;
  }

  /** @returns `first refusal` for the first record that does not fit since there was room for the one before */
  add(record: ProducerRecord): 'added' | 'first refusal' | 'refused' {
    const bytes = sizeOf(record);
    if (this.length < MOST.records && this.bytes + bytes <= MOST.bytes) {
      this.records.push({ record, bytes });
      this.bytes += bytes;
      return 'added';
    }
    if (this.refused) return 'refused';
    this.refused = true;
    return 'first refusal';
  }

  take(): ProducerRecord[] {
    let count = 0;
    for (let bytes = 0; count < Math.min(PAGE.records, this.length); count++) {
      bytes += this.records[count]!.bytes;
      if (count > 0 && bytes > PAGE.bytes) break;
    }
    const taken = this.records.splice(0, count);
    for (const { bytes } of taken) this.bytes -= bytes;
    if (this.length === 0) this.refused = false;
    return taken.map(({ record }) => record);
  }

  /** @returns how many there were */
  clear(): number {
    const { length } = this.records;
    this.records = [];
    this.bytes = 0;
    this.refused = false;
    return length;
  }
}

function sizeOf({ key, value, headers }: ProducerRecord): number {
  let bytes = lengthOf(key) + lengthOf(value);
  for (const content of Object.values(headers)) {
    for (const each of Array.isArray(content) ? content : [content as string | Buffer | null]) bytes += lengthOf(each);
  }
  return bytes;
}

const lengthOf = (content: string | Buffer | null): number => content?.length ?? 0;
