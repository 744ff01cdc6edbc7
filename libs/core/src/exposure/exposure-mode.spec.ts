import { fakeTool } from '../testing/fake-tools.js';
import { DefinitionTokens } from '../tool/token-count.js';
import { askedMode, exposureMode, type ExposureOption, settledMode } from './exposure-mode.js';

describe('exposureMode', () => {
  it.each<[ExposureOption, string]>([
    [true, 'auto'],
    ['auto', 'auto'],
    [false, 'all'],
    ['off', 'all'],
    ['all', 'all'],
    ['on', 'deferred'],
    ['deferred', 'deferred'],
  ])('reads %p as %s', (option, mode) => {
    expect(exposureMode(option)).toBe(mode);
  });
});

describe('askedMode', () => {
  it('lets a request choose, except where search is switched off', () => {
    expect(askedMode({}, 'auto')).toBe('auto');
    expect(askedMode({ mode: 'all' }, 'deferred')).toBe('all');
    expect(askedMode({ mode: 'deferred' }, 'auto')).toBe('deferred');
    expect(askedMode({ mode: 'deferred' }, 'all')).toBe('all');
  });
});

describe('settledMode', () => {
  const tools = [
    fakeTool({ name: 'a.x', loading: 'deferred' }),
    fakeTool({ name: 'a.y', loading: 'deferred' }),
    fakeTool({ name: 'a.z', loading: 'always' }),
  ];
  const tokens = new DefinitionTokens(() => 500);
  const settle = (contextWindow: number, thresholdPct = 10) =>
    settledMode('auto', tools, tokens, { thresholdPct, contextWindow });

  it('defers from the threshold on, counting what could be deferred alone', () => {
    expect([settle(10_001), settle(10_000), settle(1000)]).toEqual(['all', 'deferred', 'deferred']);
    expect([settle(2000, 50), settle(2001, 50)]).toEqual(['deferred', 'all']);
  });

  it('has nothing to defer where all is always loaded', () => {
    const always = tools.filter(({ loading }) => loading === 'always');
    expect(settledMode('auto', always, tokens, { thresholdPct: 10, contextWindow: 1000 })).toBe('all');
  });

  it('leaves alone what is no question', () => {
    expect(settledMode('all', tools, tokens, { thresholdPct: 1, contextWindow: 1 })).toBe('all');
    expect(settledMode('deferred', [], tokens, { thresholdPct: 100, contextWindow: 1e9 })).toBe('deferred');
  });
});
