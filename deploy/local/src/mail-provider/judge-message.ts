/** An e-mail as a customer of the provider hands it over. */
export interface MailRequest {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

const POSSIBLE_ADDRESS = /^[^@\s]+@[^@\s]+\.[a-z]+$/;

/** The three texts, or undefined when the body is anything else. */
export function readMail(body: unknown): MailRequest | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { to, subject, text } = body as Record<string, unknown>;
  if (typeof to !== 'string' || typeof subject !== 'string' || typeof text !== 'string') return undefined;
  return { to, subject, text };
}

/** Why the provider will never deliver to this address, or undefined when it would. */
export function refusalOf(address: string): string | undefined {
  if (!POSSIBLE_ADDRESS.test(address)) return `invalid recipient ${address}`;
  if (address.endsWith('.invalid')) return `mailbox ${address} does not exist`;
  return undefined;
}
