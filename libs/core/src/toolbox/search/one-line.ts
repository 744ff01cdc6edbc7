const MAX_LINE = 160;

/** The first sentence or so of a description: one line of at most 160 characters. */
export function oneLine(description: string): string {
  return cutLine(description.replace(/\s+/g, ' ').trim(), MAX_LINE);
}

/** A line in at most so many characters, cut after a word where one ends in its second half. */
export function cutLine(line: string, maxChars: number): string {
  if (line.length <= maxChars) return line;
  if (maxChars < 2) return '';
  const cut = line.slice(0, maxChars - 1);
  // Half a surrogate pair is no text: some providers refuse the whole request for it.
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), Math.floor(maxChars / 2))).replace(/[\ud800-\udbff]$/, '')}…`;
}
