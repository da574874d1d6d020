/** Below this a loop is quicker than the call of a native copy. */
const FEW_BYTES = 48;

/** Copies `source[start, end)` to `target` at `at`. @returns the position behind it */
export function copyBytes(target: Buffer, at: number, source: Buffer, start: number, end: number): number {
  if (end - start > FEW_BYTES) return at + source.copy(target, at, start, end);
  for (let from = start; from < end; from++) target[at++] = source[from]!;
  return at;
}
