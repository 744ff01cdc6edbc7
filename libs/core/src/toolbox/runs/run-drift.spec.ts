import type { PausedTool } from './paused-run-store.js';
import { runDrift } from './run-drift.js';

const tool = (name: string, hash: string): PausedTool => ({ name, hash, state: 'offered' });

describe('runDrift', () => {
  it('says of each tool, in its place, what became of it', () => {
    const today = new Map([
      ['a.same', 'h1'],
      ['a.changed', 'h3'],
      ['a.new', 'h4'],
    ]);
    const paused = [tool('a.gone', 'h0'), tool('a.changed', 'h2'), tool('a.same', 'h1')];
    expect(runDrift(paused, (name) => today.get(name))).toEqual([
      { name: 'a.gone', drift: 'gone' },
      { name: 'a.changed', drift: 'changed' },
      { name: 'a.same', drift: 'same' },
    ]);
  });

  it('reports no drift for a run without tools', () => {
    expect(runDrift([], () => 'h')).toEqual([]);
  });
});
