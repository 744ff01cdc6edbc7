import type { SearchType } from '../tool/tool-event.js';
import { ToolSearchError } from '../tool/tool-search.error.js';

const MAX_QUERY_CHARS = 4_000;
const MAX_PATTERN_CHARS = 200;

// Control characters (line breaks become spaces first), format characters (zero width, bidi, tags) and variation
// selectors. Readers do not see them, so searches must not depend on them.
const INVISIBLE = /[\p{Cc}\p{Cf}\u{fe00}-\u{fe0f}\u{e0000}-\u{e0fff}]/gu;

/**
 * Normalizes a query for an index: removes invisible characters, replaces lone surrogates and, unless it is a pattern,
 * applies Unicode's compatibility form (NFKC) and trims it.
 *
 * @throws ToolSearchError `INVALID_QUERY` if nothing is left; `QUERY_TOO_LONG` above 4,000 characters, 200 for a
 *   pattern
 */
export function checkedQuery(text: string, type: SearchType): string {
  checkLength(text, type);
  const visible = text
    .replace(/\p{Cs}/gu, '\ufffd')
    .replace(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' ')
    .replace(INVISIBLE, '');
  const query = type === 'regex' ? visible : visible.normalize('NFKC').trim();
  // NFKC can expand one character to eighteen.
  checkLength(query, type);
  if (query.trim() === '') {
    throw new ToolSearchError('INVALID_QUERY', 'The query is empty.', {
      hint: 'Say in a few words what the tool should do.',
    });
  }
  return query;
}

function checkLength({ length }: string, type: SearchType): void {
  const limit = type === 'regex' ? MAX_PATTERN_CHARS : MAX_QUERY_CHARS;
  if (length <= limit) return;
  throw new ToolSearchError('QUERY_TOO_LONG', `The query has ${length} characters; the limit is ${limit}.`, {
    hint: type === 'regex' ? 'Use a shorter pattern, or search by words.' : 'Name the task in one or two sentences.',
  });
}
