/** An error that PostgreSQL answered on the replication connection. */
export class ServerError extends Error {
  constructor(
    /** SQLSTATE, e.g. `55006` for a slot that is in use. */
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = 'ServerError';
  }
}

/** Reads an ErrorResponse: fields of one letter and a text that ends with zero. */
export function readServerError(body: Buffer): ServerError {
  const fields = new Map<string, string>();
  for (const field of body.toString('utf8').split('\0')) if (field !== '') fields.set(field[0]!, field.slice(1));
  return new ServerError(fields.get('C') ?? 'XX000', fields.get('M') ?? 'error without a message');
}
