import { MAX_QUERY_TERMS, namesThing, queryTerms } from './query-terms.js';

const weightsOf = (text: string) =>
  Object.fromEntries(queryTerms(text).terms.map(({ term, weight }) => [term, weight]));

describe('queryTerms', () => {
  it('drops function words and the words a request is wrapped in', () => {
    expect(Object.keys(weightsOf('Could you please help me find a tool to list all of the invoices?'))).toEqual([
      'list',
      'invoic',
    ]);
  });

  it('falls back on what there is, so that a query of such words is still a query', () => {
    expect(Object.keys(weightsOf('help me'))).toEqual(['help']);
    expect(Object.keys(weightsOf('who am I'))).toEqual(['who', 'am', 'i']);
  });

  it('adds synonyms that the query does not contain itself', () => {
    const { terms } = queryTerms('delete the pull request, or remove it');
    const otherWords = (term: string) =>
      terms.find((one) => one.term === term)?.synonyms.map((synonym) => synonym.term);
    expect(otherWords('delet')).toContain('eras');
    expect(otherWords('delet')).not.toContain('remov');
    expect(otherWords('request')).toContain('pr');
  });

  it('takes hints from phrases that are not looked up', () => {
    const hintsOf = (text: string) =>
      queryTerms(text).hints.flatMap(({ synonyms }) => synonyms.map(({ term }) => term));
    expect(hintsOf('where are my shoes')).toContain('locat');
    expect(hintsOf('running shoes')).toEqual([]);
  });

  it('hints at a search by name where something has one', () => {
    const lookupOf = (text: string) =>
      queryTerms(text).hints.find(({ synonyms }) => synonyms.some(({ term }) => term === 'lookup'));
    expect(lookupOf('the cast of Titanic')?.weight).toBeLessThan(1);
    expect(lookupOf('the cast of a movie')).toBeUndefined();
  });

  it('counts words that a request can do without for half', () => {
    expect(weightsOf('additionally a comprehensive forecast')).toEqual({ addit: 0.5, comprehens: 0.5, forecast: 1 });
  });

  it('counts a repeated word once', () => {
    expect(weightsOf('invoice invoices invoice invoice')).toEqual({ invoic: 1 });
  });

  it('weighs quoted text and the spellings of one identifier less than plain words', () => {
    const weights = weightsOf('rename "holiday" to summer 2024 in createAlbum');
    expect(weights['summer']).toBe(1);
    for (const term of ['holiday', 'creat', 'album', 'createalbum']) expect(weights[term]).toBeLessThan(1);
  });

  it('weighs a word by its most insistent place', () => {
    expect(weightsOf('invoice "invoice"')['invoic']).toBe(1);
  });

  it('does not take an apostrophe for a quotation mark', () => {
    expect(weightsOf("the customer's invoice and the team's budget")).toEqual({
      custom: 1,
      invoic: 1,
      team: 1,
      budget: 1,
    });
  });

  it('uses the first 64 distinct terms', () => {
    const words = Array.from(
      { length: 200 },
      (_, i) => `word${String.fromCharCode(97 + (i % 26), 97 + Math.floor(i / 26))}`,
    );
    const { terms, pairs, words: used } = queryTerms(words.join(' '));
    expect(terms).toHaveLength(MAX_QUERY_TERMS);
    expect(used).toHaveLength(MAX_QUERY_TERMS);
    expect(pairs).toHaveLength(MAX_QUERY_TERMS - 1);
    expect(queryTerms('invoice '.repeat(500)).terms).toHaveLength(1);
  });

  it('names the words as they were written, and no numbers', () => {
    expect(queryTerms('Refund 3 Invoices in 创建工单').words.map(({ word }) => word)).toEqual([
      'refund',
      'invoices',
      '创建工单',
    ]);
  });
});

describe('namesThing', () => {
  it.each(['the cast of Titanic', 'When was Albert Einstein born?', 'details of "User API"', 'weather, in Rome'])(
    'sees the name in %j',
    (text) => {
      expect(namesThing(text)).toBe(true);
    },
  );

  it.each(['', 'Delete the file', 'Send it. Then stop.', 'what do I have to do', "users' rights"])(
    'sees none in %j',
    (text) => {
      expect(namesThing(text)).toBe(false);
    },
  );
});
