/**
 * Whether the JSON nests deeper than `levels`. PostgreSQL, and whatever else walks a payload by calling itself, runs out
 * of stack at some depth; `JSON.parse` does not. Nearly free unless there are more than `levels` objects and arrays.
 */
export const nestsDeeper = (json: string, levels: number): boolean =>
  json.length > 2 * levels && count('{', json, levels) + count('[', json, levels) > levels && depthExceeds(json, levels);

/** How often `character` is there; stops counting above `enough`. */
function count(character: string, text: string, enough: number): number {
  let found = 0;
  for (let at = text.indexOf(character); at >= 0 && found <= enough; at = text.indexOf(character, at + 1)) found++;
  return found;
}

/** Brackets count outside of text only. */
function depthExceeds(json: string, levels: number): boolean {
  let depth = 0;
  let inText = false;
  for (let at = 0; at < json.length; at++) {
    const character = json[at];
    if (character === '"') inText = !inText;
    else if (inText) at += character === '\\' ? 1 : 0;
    else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') depth--;
    if (depth > levels) return true;
  }
  return false;
}
