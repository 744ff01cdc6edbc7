import { isToolSearchError } from '../tool/tool-search.error.js';
import { checkedQuery } from './query-bounds.js';

const codeOf = (run: () => unknown): string | undefined => {
  try {
    run();
    return undefined;
  } catch (error) {
    return isToolSearchError(error) ? error.code : String(error);
  }
};

describe('checkedQuery', () => {
  it.each([
    ['nothing', '', 'bm25', 'INVALID_QUERY'],
    ['blanks', ' \t\n ', 'bm25', 'INVALID_QUERY'],
    ['only invisible characters', '\u200b\u202e\u{e0041}\u0000', 'exact', 'INVALID_QUERY'],
    ['an empty pattern, which would match everything', '', 'regex', 'INVALID_QUERY'],
    ['4,001 characters', 'x'.repeat(4_001), 'bm25', 'QUERY_TOO_LONG'],
    ['5,000 alternatives', 'a OR '.repeat(5_000), 'fts', 'QUERY_TOO_LONG'],
    ['4,001 blanks', ' '.repeat(4_001), 'exact', 'QUERY_TOO_LONG'],
    ['a pattern of 201 characters', 'x'.repeat(201), 'regex', 'QUERY_TOO_LONG'],
    ['2,000 nested groups', '('.repeat(2_000) + ')'.repeat(2_000), 'regex', 'QUERY_TOO_LONG'],
  ] as const)('refuses %s', (_, text, type, code) => {
    expect(codeOf(() => checkedQuery(text, type))).toBe(code);
  });

  it.each([
    ['the longest text', 'x'.repeat(4_000), 'bm25', 'x'.repeat(4_000)],
    ['the longest pattern', 'x'.repeat(200), 'regex', 'x'.repeat(200)],
    ['an open quotation mark', '"invoice', 'bm25', '"invoice'],
    ['operators of other engines', 'AND OR NOT NEAR(', 'bm25', 'AND OR NOT NEAR('],
    ['column filters', '{a b}:x ^a *', 'bm25', '{a b}:x ^a *'],
    ['control characters', 'in\u0000voi\u0007ce\u007f', 'bm25', 'invoice'],
    ['line breaks', ' list\r\n\tinvoices ', 'bm25', 'list invoices'],
    ['zero-width, bidi and tag characters', 'in\u200bvo\u202eice\u{e0041}\ufe0f', 'bm25', 'invoice'],
    ['full-width letters', 'ｉｎｖｏｉｃｅ', 'exact', 'invoice'],
    ['half a surrogate pair', 'a\ud800b', 'bm25', 'a\ufffdb'],
    ['a whole surrogate pair', 'a🔥', 'bm25', 'a🔥'],
    ['blanks at the ends of a pattern', ' a ', 'regex', ' a '],
    ['compatibility characters in a pattern', 'ﬁ', 'regex', 'ﬁ'],
  ] as const)('takes %s', (_, text, type, checked) => {
    expect(checkedQuery(text, type)).toBe(checked);
  });

  it('answers with what to do next, without repeating the query', () => {
    expect(() => checkedQuery('secret'.repeat(1_000), 'bm25')).toThrow(
      expect.objectContaining({ hint: expect.stringMatching(/./), message: expect.not.stringContaining('secret') }),
    );
  });
});
