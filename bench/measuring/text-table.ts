/** Formats rows as a text table with aligned columns; the first row is the heading. */
export function textTable(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) row.forEach((cell, column) => (widths[column] = Math.max(widths[column] ?? 0, cell.length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** The members of a report, one a line. */
export function memberTable(report: object): string {
  const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  return textTable(Object.entries(report).map(([key, value]) => [key, shown(value)]));
}
