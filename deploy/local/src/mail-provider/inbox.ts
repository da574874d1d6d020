import type { MailRequest } from './judge-message.js';

/** An e-mail that a customer received. */
export interface Mail extends MailRequest {
  readonly id: string;
  /** The `Idempotency-Key` of the call that was accepted first. */
  readonly key: string;
}

/** Everything accepted so far. A repeated key is answered with its first acceptance and delivers nothing. */
export class Inbox {
  private readonly byKey = new Map<string, Mail>();

  accept(key: string, { to, subject, text }: MailRequest): { id: string; replayed: boolean } {
    const earlier = this.byKey.get(key);
    if (earlier) return { id: earlier.id, replayed: true };
    const mail = { id: `msg_${this.byKey.size + 1}`, key, to, subject, text };
    this.byKey.set(key, mail);
    return { id: mail.id, replayed: false };
  }

  list(): Mail[] {
    return [...this.byKey.values()];
  }

  clear(): void {
    this.byKey.clear();
  }
}
