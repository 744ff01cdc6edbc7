import type { EngineResult } from './evaluate-set.js';
import { meanResults } from './mean-result.js';
import { timedMeasures } from './measures.js';

const result = (name: string, found: boolean): EngineResult => ({
  name,
  config: '',
  buildMs: 1,
  ...timedMeasures([{ found: found ? ['a'] : [], relevant: new Set(['a']), ms: 1 }]),
});

describe('meanResults', () => {
  it('weighs every set the same, engine by engine, and adds up refusals', () => {
    const means = meanResults([
      [result('x', true), result('y', true)],
      [result('x', true), result('y', false)],
    ]);
    expect(means).toMatchObject([
      { name: 'x', ndcg5: 1, recall10: 1, answerableRefused: 0 },
      { name: 'y', ndcg5: 0.5, recall10: 0.5, answerableRefused: 1 },
    ]);
    expect(meanResults([])).toEqual([]);
  });
});
