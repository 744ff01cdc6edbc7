const MAX_LINE = 160;

/** Shortens a description to one line of at most 160 characters. */
export function oneLine(description: string): string {
  return cutLine(description.replace(/\s+/g, ' ').trim(), MAX_LINE);
}

/** Cuts a line to `maxChars` characters: at its last space if that is in the second half, else in the middle. */
export function cutLine(line: string, maxChars: number): string {
  if (line.length <= maxChars) return line;
  if (maxChars < 2) return '';
  const cut = line.slice(0, maxChars - 1);
  // A lone surrogate is invalid text, and some providers refuse the whole request because of it.
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), Math.floor(maxChars / 2))).replace(/[\ud800-\udbff]$/, '')}…`;
}
