import { hidesText } from '../../catalog/ingest/hidden-text.js';
import { hasSecret } from '../../catalog/ingest/secret-shapes.js';
import { hasControlCharacters } from '../../json/safe-text.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';

const MAX_CHARS = 200;
const MAX_QUERIES = 20;
// Models number their lists and quote what they write.
const LIST_MARK = /^(?:[-*•]|\d{1,2}[.)])\s+/u;
const QUOTES = /^(["'“”‘’`«»])(.+)["'“”‘’`«»]$/u;

/**
 * The queries of a writer or file that can be used: one line each, up to 200 characters, without invisible characters
 * and credentials, none twice.
 *
 * @param given from outside, of any type
 * @param own queries that the tool has already
 */
export function cleanedQueries(given: unknown, count: number, own: readonly string[] = []): readonly string[] {
  if (!Array.isArray(given)) return [];
  const seen = new Set(own.map(folded));
  const queries: string[] = [];
  // More are no answer to what was asked; reading on could take for ever.
  for (const each of given.slice(0, MAX_QUERIES)) {
    if (queries.length >= count) break;
    if (typeof each !== 'string' || each.length > 2 * MAX_CHARS) continue;
    const query = each.replace(/\s+/g, ' ').trim().replace(LIST_MARK, '').replace(QUOTES, '$2').trim();
    if (fault(query) !== undefined || seen.has(folded(query))) continue;
    seen.add(folded(query));
    queries.push(query);
  }
  return queries;
}

/** An operator's queries in one line each, without repetitions. @throws ToolSearchError `INVALID_REQUEST` */
export function checkedQueryList(given: readonly string[]): readonly string[] {
  if (given.length > MAX_QUERIES) throw invalid(`a tool has at most ${MAX_QUERIES} example queries`);
  const queries = new Map<string, string>();
  for (const [position, each] of given.entries()) {
    const query = each.replace(/\s+/g, ' ').trim();
    const wrong = fault(query);
    if (wrong !== undefined) throw invalid(`query ${position + 1} ${wrong}`);
    if (!queries.has(folded(query))) queries.set(folded(query), query);
  }
  return [...queries.values()];
}

function fault(query: string): string | undefined {
  if (query.length < 2 || query.length > MAX_CHARS) return `must have 2 to ${MAX_CHARS} characters`;
  if (!/[\p{L}\p{N}]/u.test(query)) return 'has no word';
  if (hidesText(query) || hasControlCharacters(query)) return 'has characters that a reader does not see';
  return hasSecret(query) ? 'looks like a credential' : undefined;
}

function folded(query: string): string {
  return query.toLowerCase();
}

function invalid(reason: string): ToolSearchError {
  return new ToolSearchError('INVALID_REQUEST', `The example queries are not valid: ${reason}.`, {
    hint: 'Nothing was changed. Correct them and send them again.',
  });
}
