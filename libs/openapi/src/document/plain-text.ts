import { truncated } from '@tool-search/core/internal';

// Limits the work on one description; models get a far shorter text.
const MAX_READ = 8000;

/**
 * Converts a description to plain text: keeps the text of markdown links without the address, removes HTML comments and
 * collapses white space. Longer texts are cut at a word boundary with `…`; anything but a string becomes `''`.
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
  // A text without spaces is cut anywhere.
  return `${truncated(cut, boundary > maxChars / 2 ? boundary : maxChars).trimEnd()}…`;
}
