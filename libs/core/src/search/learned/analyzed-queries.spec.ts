import { TimeSlicer } from '../../async/time-slicer.js';
import { type AnalyzedQueries, analyzedQueries } from './analyzed-queries.js';
import type { LearnedQuery } from './learned-query-store.js';

const learned = (tool: string, query: string, uses = 1): LearnedQuery => ({ tool, query, uses, lastUsedAt: uses });
const none: AnalyzedQueries = new Map();
const analyze = (queries: readonly LearnedQuery[], previous = none) =>
  analyzedQueries(queries, previous, new TimeSlicer(1));

describe('analyzedQueries', () => {
  it('gives back what it was given while no query comes or goes', async () => {
    const first = await analyze([learned('a.b', 'money back'), learned('a.c', 'cash')]);
    expect(await analyze([learned('a.c', 'cash', 7), learned('a.b', 'money back')], first)).toBe(first);
    expect(await analyze([learned('a.c', 'cash')], first)).not.toBe(first);
  });

  it('analyzes only what is new', async () => {
    const first = await analyze([learned('a.b', 'money back'), learned('a.c', 'cash')]);
    const next = await analyze([learned('a.b', 'money back'), learned('a.c', 'coins')], first);
    expect([...next.values()].map(({ tool, learned: { terms } }) => [tool, terms])).toEqual([
      ['a.b', ['money', 'back']],
      ['a.c', ['coin']],
    ]);
    const kept = [...first.values()];
    expect([...next.values()].filter((query) => kept.includes(query))).toHaveLength(1);
  });
});
