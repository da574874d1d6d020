import { ConfigError } from '@shopflow/config';
import { classifyDatabaseError } from '@shopflow/database';

/** The HTTP server cannot be opened where the configuration says. */
export class ListenError extends Error {
  constructor(host: string, port: number, cause: unknown) {
    super(`cannot listen on ${host}:${port}: ${listenRemedy(cause)}`, { cause });
    this.name = 'ListenError';
  }
}

function listenRemedy(cause: unknown): string {
  const { code, message } = cause as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return 'the port is taken; stop what listens there, or set PORT to another';
  if (code === 'EACCES') return 'this user may not open the port; set PORT to one above 1023';
  return `${message}; correct HOST or PORT`;
}

/** Database errors of a start, by PostgreSQL's code, and what to do about each. */
const REMEDIES: Readonly<Record<string, string>> = {
  '3D000': 'create it and run its migrations, or correct DATABASE_URL',
  '28P01': 'correct user and password in DATABASE_URL',
  '28000': 'correct user and password in DATABASE_URL',
  '42P01': 'run the migrations of this service first',
};

/** What an operator can put right, in one sentence with the remedy; undefined for everything else, which is a defect. */
export function explainStartUpFault(error: unknown): string | undefined {
  if (error instanceof ConfigError || error instanceof ListenError) return error.message;
  if (!(error instanceof Error)) return undefined;
  const remedy = REMEDIES[(error as NodeJS.ErrnoException).code ?? ''];
  if (remedy !== undefined) return `${error.message}: ${remedy}`;
  if (classifyDatabaseError(error) === 'outage')
    return `cannot connect: ${reasonOf(error)}; check DATABASE_URL, KAFKA_BROKERS and that the servers run`;
  return undefined;
}

/** Node gives one error with an empty message when every address of a host refused. */
function reasonOf(error: Error): string {
  const [first] = (error as { errors?: unknown[] }).errors ?? [];
  return error.message === '' && first instanceof Error ? first.message : error.message;
}
