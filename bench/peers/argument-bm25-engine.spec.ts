import { definitionOf } from '../datasets/tool-definitions.js';
import { ArgumentBm25Engine } from './argument-bm25-engine.js';

const oven = {
  type: 'object',
  properties: {
    heatLevel: { type: 'number', description: 'Degrees of the baking chamber' },
    loaves: { type: 'array', items: { type: 'object', properties: { rye_share: { type: 'number' } } } },
  },
};
const TOOLS = [
  definitionOf({ name: 'preheatOven', namespace: 'bakery', description: 'Starts a stove.', inputSchema: oven }),
  definitionOf({ name: 'sell_bread', namespace: 'bakery', description: 'Sells what was made.' }),
];

describe('ArgumentBm25Engine', () => {
  it.each([
    ['a word of a name in camel case', 'OVEN', 'preheatOven'],
    ['a word of a name in snake case', 'bread', 'sell_bread'],
    ['a word of the description', 'stove', 'preheatOven'],
    ['the name of an argument', 'level', 'preheatOven'],
    ['the description of an argument', 'chamber', 'preheatOven'],
    ['the name of a nested argument', 'rye', 'preheatOven'],
  ])('finds a tool by %s', async (_, query, tool) => {
    const engine = new ArgumentBm25Engine();
    await engine.build(TOOLS);
    expect(await engine.search(query, 10)).toEqual({ names: [`bakery.${tool}`] });
    expect(await engine.search('unknown', 10)).toEqual({ names: [] });
  });

  it('finds only visible tools, and at most the wanted number', async () => {
    const engine = new ArgumentBm25Engine();
    await engine.build(TOOLS);
    expect((await engine.search('bakery', 10)).names).toHaveLength(2);
    expect((await engine.search('bakery', 1)).names).toHaveLength(1);
    expect(await engine.search('bakery', 10, 0.5)).toEqual({ names: ['bakery.sell_bread'] });
  });
});
