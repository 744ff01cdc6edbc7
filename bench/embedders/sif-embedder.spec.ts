import { definitionOf } from '../datasets/tool-definitions.js';
import { SifEmbedder, sifWeight, zipfShares } from './sif-embedder.js';

describe('sifWeight', () => {
  it('falls from 1 for a word that is never seen', () => {
    expect([0, 1e-4, 3e-4].map((share) => sifWeight(share, 1e-4))).toEqual([1, 0.5, expect.closeTo(0.25)]);
  });
});

describe('zipfShares', () => {
  it('gives the second word half of what the first has, and 1 to all', () => {
    const [first = 0, second = 0, third = 0] = zipfShares(3);
    expect(first / second).toBeCloseTo(2);
    expect(first + second + third).toBeCloseTo(1);
    expect(zipfShares(0)).toEqual([]);
  });
});

describe('SifEmbedder', () => {
  const vectors = new Map([
    ['the', Float32Array.of(1, 1, 0)],
    ['tool', Float32Array.of(9, 0, 0)],
    ['rain', Float32Array.of(9, 0, 1)],
    ['weather', Float32Array.of(9, 0, 2)],
    ['invoice', Float32Array.of(9, 0, -2)],
  ]);
  const tools = ['weather tool', 'invoice tool'].map((description, i) =>
    definitionOf({ name: `t${i}`, namespace: '', description }),
  );
  const embedder = new SifEmbedder(tools, { dimensions: 3, vectors });

  it('leaves out what all tools have in common', async () => {
    const [weather, rain, invoice] = await embedder.embed(['Weather', 'getRain', 'INVOICE']);
    expect(weather![0]).toBeCloseTo(0, 3);
    expect(Math.sign(rain![2]!)).toBe(Math.sign(weather![2]!));
    expect(Math.sign(invoice![2]!)).toBe(-Math.sign(weather![2]!));
  });

  it('has no direction for a text of unknown words', async () => {
    expect(await embedder.embed(['zorbel', ''])).toEqual([new Float32Array(3), new Float32Array(3)]);
  });
});
