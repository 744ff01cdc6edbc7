import { fakeTool } from '../testing/fakes/fake-tools.js';
import { DefinitionTokens } from '../tool/token-count.js';
import type { ExposureChoice, ExposureOption, ExposureRule } from '../toolbox/surface/surface.js';
import { askedExposure, DEFAULT_EXPOSURE, exposureMode, settledExposure } from './exposure-mode.js';

describe('exposureMode', () => {
  it.each<[ExposureOption, string]>([
    [true, 'auto'],
    ['auto', 'auto'],
    [false, 'all'],
    ['off', 'all'],
    ['all', 'all'],
    ['on', 'deferred'],
    ['deferred', 'deferred'],
    ['bridge', 'bridge'],
    ['native', 'native'],
  ])('reads %p as %s', (option, mode) => {
    expect(exposureMode(option)).toBe(mode);
  });

  it('reads on as the deferral', () => {
    expect(exposureMode('on', 'bridge')).toBe('bridge');
  });
});

describe('askedExposure', () => {
  const asked = (...choices: (ExposureChoice | undefined)[]) =>
    choices.reduce<typeof DEFAULT_EXPOSURE>(
      (before, choice) => askedExposure(before, choice, 'request'),
      DEFAULT_EXPOSURE,
    );

  it('lets the more specific level win, whether it is a boolean, a string or an object', () => {
    expect(asked(undefined)).toEqual(DEFAULT_EXPOSURE);
    expect(asked(true, 'bridge', { mode: false }).mode).toBe('all');
    expect(asked({ mode: 'all' }, true).mode).toBe('auto');
    expect(asked('deferred', undefined)).toMatchObject({ mode: 'deferred', by: 'request' });
  });

  it('keeps what a level leaves out', () => {
    const rule = { mode: 'bridge', deferral: 'native', thresholdPct: 5, contextWindow: 9000 } as const;
    expect(asked(rule, { contextWindow: 8000 })).toEqual({ ...rule, by: 'request', contextWindow: 8000 });
    expect(asked({ deferral: 'native' }, 'on').mode).toBe('native');
    expect(asked({ thresholdPct: 5 }).by).toBe('default');
  });

  it.each([
    [{ mode: 'sometimes' }],
    ['sometimes'],
    [null],
    [7],
    [{ deferral: 'all' }],
    [{ thresholdPct: 0 }],
    [{ thresholdPct: 101 }],
    [{ contextWindow: -1 }],
    [{ contextWindow: 'wide' }],
  ])('refuses %j', (choice) => {
    expect(() => asked(choice as ExposureChoice)).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }));
  });
});

describe('settledExposure', () => {
  const tools = [
    fakeTool({ name: 'a.x', loading: 'deferred' }),
    fakeTool({ name: 'a.y', loading: 'deferred' }),
    fakeTool({ name: 'a.z', loading: 'always' }),
  ];
  const tokens = new DefinitionTokens(() => 500);
  const settle = (rule: ExposureChoice, visible = tools, canDefer = false) =>
    settledExposure(askedExposure(DEFAULT_EXPOSURE, rule, 'module'), visible, tokens, canDefer);
  const modeOf = (rule: ExposureRule) => settle(rule).mode;

  it('defers from the threshold on, counting what could be deferred alone', () => {
    expect([10_001, 10_000, 1000].map((contextWindow) => modeOf({ contextWindow }))).toEqual([
      'all',
      'deferred',
      'deferred',
    ]);
    expect([2000, 2001].map((contextWindow) => modeOf({ contextWindow, thresholdPct: 50 }))).toEqual([
      'deferred',
      'all',
    ]);
  });

  it('says what it compared', () => {
    expect(settle({ contextWindow: 1000 }).reason).toEqual({
      asked: 'auto',
      by: 'default',
      text: 'tools that could be held back have 1000 tokens, not less than the threshold of 100',
      measured: { deferrableTokens: 1000, thresholdTokens: 100, contextWindow: 1000, tokenizer: 'custom' },
    });
    expect(settle('bridge').reason).toEqual({ asked: 'bridge', by: 'module', text: 'asked for by the module' });
  });

  it('lists everything if all tools are always loaded', () => {
    const always = tools.filter(({ loading }) => loading === 'always');
    expect(settle({ contextWindow: 1000 }, always).mode).toBe('all');
  });

  it('uses the configured mode of deferral', () => {
    expect(modeOf({ contextWindow: 1000, deferral: 'bridge' })).toBe('bridge');
  });

  it('leaves alone what is no question', () => {
    expect(modeOf({ mode: 'all', contextWindow: 1 })).toBe('all');
    expect(settle({ mode: 'deferred', contextWindow: 1e9 }, []).mode).toBe('deferred');
  });

  it('is native only for who can defer', () => {
    expect(settle('native', tools, true).mode).toBe('native');
    expect(settle('native')).toMatchObject({ mode: 'deferred', reason: { asked: 'native' } });
    expect(settle('native').reason.text).toContain('the provider defers nothing');
    expect(settle({ contextWindow: 1000, deferral: 'native' }, tools, true).mode).toBe('native');
  });
});
