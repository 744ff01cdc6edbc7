import type { ToolDefinition } from '@tool-search/core';
import { floodOf, floodRecall } from './flood-recall.js';
import type { LabelledSet } from '../datasets/labelled-set.js';
import type { SearchEngine } from '../engines/search-engine.js';
import { definitionOf, sortedByName } from '../datasets/tool-definitions.js';

const set: LabelledSet = {
  name: 'tiny',
  tools: sortedByName([
    definitionOf({ name: 'forecast', namespace: 'sky', description: 'Weather for the next days' }),
    definitionOf({ name: 'send', namespace: 'mail', description: 'Writes a letter to somebody' }),
    definitionOf({ name: 'convert', namespace: 'money', description: 'Exchange rates of today' }),
  ]),
  queries: [
    { query: 'Weather for days', relevant: new Set(['sky.forecast']) },
    { query: 'Exchange rates', relevant: new Set(['money.convert']) },
    { query: 'knit a pullover', relevant: new Set() },
  ],
};

/** An engine that finds tools with the query's first word in the description, by name; `flood` sorts first. */
function byFirstWord(takesChanges: boolean): SearchEngine {
  let tools: readonly ToolDefinition[] = [];
  const build = async (next: readonly ToolDefinition[]): Promise<void> => {
    tools = next;
  };
  return {
    name: 'first word',
    config: '',
    build,
    ...(takesChanges && { change: (next: readonly ToolDefinition[]) => () => build(next) }),
    search: async (text, limit) => {
      const [word = ''] = text.split(' ');
      const names = tools.filter(({ description }) => description.includes(word)).map(({ name }) => name);
      return { names: names.slice(0, limit) };
    },
  };
}

describe('floodOf', () => {
  it('clones the description under numbered names of another source', () => {
    const [first, second, ...more] = floodOf(set.tools[2]!, 3);
    expect([first?.name, second?.name]).toEqual(['flood.forecast_1', 'flood.forecast_2']);
    expect(more).toHaveLength(1);
    expect(first?.description).toBe('Weather for the next days');
  });
});

describe.each([
  ['an engine that takes changes over', () => byFirstWord(true)],
  ['an engine that is built again', () => byFirstWord(false)],
])('floodRecall of %s', (_, create) => {
  it('clones the tool that each request needs, and asks about the others meanwhile', async () => {
    const result = await floodRecall(create(), set, set.tools, 1);
    expect(result).toMatchObject({ requests: 2, recall5Before: 1, recall5Targeted: 1, recall5Bystanders: 1 });
    expect(result.floodedHits).toBeCloseTo(0.2);
  });

  it('counts what a flood pushes out', async () => {
    const { recall5Targeted, floodedHits } = await floodRecall(create(), set, set.tools, 10);
    expect(recall5Targeted).toBe(0);
    expect(floodedHits).toBe(1);
  });
});
