// Bounds the work on one description; what a model is shown is far shorter.
const MAX_READ = 8000;

/**
 * A description as plain words: markdown links keep their text and lose their address, HTML comments go, white space is
 * tightened. Cut at a word boundary, with `…`, when longer than `maxChars`; anything but a string is `''`.
 */
export function plainText(value: unknown, maxChars: number): string {
  if (typeof value !== 'string') return '';
  const text = value
    .slice(0, MAX_READ)
    .replace(/<!--(?:[^-]|-(?!->))*-->/g, '')
    .replace(/!?\[([^\][]*)\]\([^()\s]*\)/g, '$1')
    .replace(/\r\n?/g, '\n')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  if (text.length <= maxChars) return text;
  const cut = text.slice(0, maxChars - 1);
  const boundary = cut.search(/\s\S*$/);
  // A text without spaces is cut where it is, but never inside a surrogate pair.
  return `${(boundary > maxChars / 2 ? cut.slice(0, boundary) : cut).trimEnd().replace(/[\ud800-\udbff]$/, '')}…`;
}
