const start = Date.now();

/** To standard error: standard output belongs to the command. */
export function sayProgress(message) {
  const seconds = ((Date.now() - start) / 1000).toFixed(1).padStart(6);
  console.error(`${seconds} s  ${message}`);
}

/** When the command was typed, for those who count on. Milliseconds since 1970. */
export const typedAt = start;
