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
 * Reads the payload that is to be handled in place of a letter's own, in the version that the letter's headers name.
 *
 * @param contracts those that the payload is checked against where one knows its type
 * @returns the bytes of the file
 * @throws EditRefusedError when it is not there, not JSON, or not what the contract says
 */
export async function readEdit(file: string, { type, version }: DeadLetter, contracts: readonly EventContract[] = events): Promise<Buffer> {
  const bytes = await readFile(file).catch((cause: Error) => {
    throw new EditRefusedError(file, cause.message, { cause });
  });
  try {
    const payload: unknown = JSON.parse(bytes.toString());
    const contract = contracts.find((known) => known.type === type);
    if (contract !== undefined) readPayload(contract, version ?? Number.NaN, payload);
    return bytes;
  } catch (cause) {
    throw new EditRefusedError(file, (cause as Error).message, { cause });
  }
}
