import { readFile } from 'node:fs/promises';
import { type EventContract, events, readPayload } from '@shopflow/contracts';
import type { DeadLetter } from '../../dead-letters/dead-letter.js';

/** What somebody wrote in place of a payload cannot be handled either. */
export class EditRefusedError extends Error {
  constructor(file: string, reason: string, options?: ErrorOptions) {
    super(`${file} cannot replace the payload: ${reason}`, options);
    this.name = 'EditRefusedError';
  }
}

/**
 * Reads the payload that is to be handled in place of a letter's own.
 *
 * @returns the bytes of the file
 * @throws EditRefusedError when it is not there, or not JSON
 */
export async function readEdit(file: string): Promise<Buffer> {
  try {
    const bytes = await readFile(file);
    JSON.parse(bytes.toString());
    return bytes;
  } catch (cause) {
    throw new EditRefusedError(file, (cause as Error).message, { cause });
  }
}

/**
 * Checks an edit against the version that the letter's headers name, where a contract knows its type.
 *
 * @throws EditRefusedError when it is not what the contract says
 */
export function checkEdit(
  { file, bytes }: { file: string; bytes: Buffer },
  { type, version }: DeadLetter,
  contracts: readonly EventContract[] = events,
): void {
  const contract = contracts.find((known) => known.type === type);
  if (contract === undefined) return;
  try {
    readPayload(contract, version ?? Number.NaN, JSON.parse(bytes.toString()));
  } catch (cause) {
    throw new EditRefusedError(file, (cause as Error).message, { cause });
  }
}
