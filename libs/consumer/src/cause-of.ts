import { boundedText } from './bounded-text.js';
import { reasonOf } from './failure.js';

/** Longest cause, in bytes: it is an index key, and a line for a person. */
export const MAX_CAUSE_BYTES = 200;
const MAX_PLACE_BYTES = 80;
/** What lies further back in a message says little, and is not looked at. */
const MAX_MESSAGE = 1_000;

/** What differs from event to event, and what is put in its place. In this order: an address contains what looks like an id. */
const VARYING: readonly (readonly [RegExp, string])[] = [
  [/"[^"]*(?:"|$)|`[^`]*(?:`|$)|(?<!\w)'[^']*'(?!\w)/g, '"…"'],
  [/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, '<e-mail>'],
  [/\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi, '<uuid>'],
  [/\b[a-z]+(?:[-_][a-z0-9]+)*[-_]\d[\w-]*/gi, '<id>'],
  [/\b(?=[a-f]*\d)[0-9a-f]{8,}\b/gi, '<hex>'],
  [/\d+(?:[.,:]\d+)*/g, '#'],
  [/\s+/g, ' '],
];

/**
 * What failures of one cause have in common: where, which error, and its message without what differs from event to event.
 * Total, and what it gives can be stored.
 *
 * @param place the handler's name, or `decode`
 * @returns 200 bytes at most
 */
export function causeOf(error: unknown, place: string): string {
  const message = VARYING.reduce(
    (text, [pattern, placeholder]) => text.replace(pattern, placeholder),
    reasonOf(error).slice(0, MAX_MESSAGE),
  );
  return boundedText(`${boundedText(place, MAX_PLACE_BYTES)}: ${kindOf(error)}${message}`, MAX_CAUSE_BYTES);
}

/** `QueryFailedError 23505: `; a plain `Error`, and what is no error, say nothing by their names. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const { name, code, status } = error as { name: unknown; code?: unknown; status?: unknown };
  const words = [name === 'Error' ? undefined : name, code ?? status].filter(
    (word) => typeof word === 'string' || typeof word === 'number',
  );
  return words.length === 0 ? '' : `${words.join(' ')}: `;
}
