const GAP = '  ';

/**
 * Rows as aligned columns, nothing wrapped and nothing cut: numbers to the right, text to the left, nothing for null.
 *
 * @param columns the heads
 * @param rows one value for each column
 */
export function table(columns: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string[] {
  const cells = [columns, ...rows.map((row) => row.map(textOf))];
  const widths = columns.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  const rightward = columns.map(
    (_, column) => rows.length > 0 && rows.every((row) => typeof row[column] === 'number' || row[column] === null),
  );
  const padded = (cell: string, column: number) => (rightward[column] ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!));
  return cells.map((row) => row.map(padded).join(GAP).trimEnd());
}

/** A line break, or what steers a terminal, would tear the table apart. */
const textOf = (value: string | number | null): string => (value === null ? '' : String(value).replace(/[\p{Cc}\u2028\u2029]+/gu, ' '));
