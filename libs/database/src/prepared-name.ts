/** As often a statement is run unprepared, as with PostgreSQL's JDBC driver: what is run once or twice is not worth it. */
const USES_BEFORE = 5;
/** At most so many are prepared on each connection, where they live as long as it does. */
const MOST = 100;
/** Texts that are being counted; a program that writes them anew each time must not fill the memory. */
const COUNTED = 1_000;

/** What answers no rows: a statement with rows breaks when a migration adds a column to them, until the connection ends. */
const WITHOUT_ROWS = /^\s*(INSERT|UPDATE|DELETE)\b(?!.*\bRETURNING\b)/is;

const uses = new Map<string, number>();
const names = new Map<string, string>();

/** The name to prepare a statement by, or undefined for one that is run as it is. Saves the server half of its work. */
export function preparedName(text: string): string | undefined {
  const name = names.get(text);
  if (name !== undefined || names.size >= MOST) return name;
  const count = (uses.get(text) ?? 0) + 1;
  if (count > USES_BEFORE) return prepare(text);
  if (uses.size >= COUNTED) uses.clear();
  if (count > 1 || WITHOUT_ROWS.test(text)) uses.set(text, count);
  return undefined;
}

function prepare(text: string): string {
  const name = `sql-${names.size + 1}`;
  names.set(text, name);
  uses.delete(text);
  return name;
}
