/** The bytes of one record, read from the first to the last. */
export class RecordBytes {
  private at = 0;

  constructor(private readonly bytes: Buffer) {}

  /** False when more was asked for than there is: then what was read means nothing. */
  get inside(): boolean {
    return this.at <= this.bytes.length;
  }

  get position(): number {
    return this.at;
  }

  int8(): number {
    return this.bytes.readInt8(this.at++);
  }

  /** Zigzag; beyond 2^53 not exact, and then no safe integer. */
  varint(): number {
    let byte = this.bytes[this.at++]!;
    let value = byte & 0x7f;
    for (let factor = 0x80; byte >= 0x80; factor *= 0x80) {
      byte = this.bytes[this.at++]!;
      value += (byte & 0x7f) * factor;
    }
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** The next bytes, shared; null for a length of -1. */
  buffer(length: number): Buffer | null {
    if (length === -1) return null;
    return this.bytes.subarray(this.at, (this.at += length));
  }

  /** Undefined, with nothing read, when they are not all ASCII or there is no text. */
  ascii(length: number): string | undefined {
    const end = this.at + length;
    if (length < 0) return undefined;
    for (let at = this.at; at < end; at++) if (this.bytes[at]! > 0x7f) return undefined;
    return this.bytes.toString('latin1', this.at, (this.at = end));
  }

  /** Goes over the next bytes when they are this ASCII text. */
  skipIfEqual(text: string, length: number): boolean {
    if (text.length !== length) return false;
    for (let at = 0; at < length; at++) if (this.bytes[this.at + at] !== text.charCodeAt(at)) return false;
    this.at += length;
    return true;
  }
}
