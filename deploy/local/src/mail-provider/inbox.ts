import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
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

  /** @param file where accepted e-mails are kept, a line each, so that a restart forgets none; in memory alone when left out */
  constructor(private readonly file?: string) {
    if (file === undefined || !existsSync(file)) return;
    for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
      const mail = JSON.parse(line) as Mail;
      this.byKey.set(mail.key, mail);
    }
  }

  accept(key: string, { to, subject, text }: MailRequest): { id: string; replayed: boolean } {
    const earlier = this.byKey.get(key);
    if (earlier) return { id: earlier.id, replayed: true };
    const mail = { id: `msg_${this.byKey.size + 1}`, key, to, subject, text };
    if (this.file !== undefined) appendFileSync(this.file, `${JSON.stringify(mail)}\n`);
    this.byKey.set(key, mail);
    return { id: mail.id, replayed: false };
  }

  list(): Mail[] {
    return [...this.byKey.values()];
  }

  clear(): void {
    if (this.file !== undefined) rmSync(this.file, { force: true });
    this.byKey.clear();
  }
}
