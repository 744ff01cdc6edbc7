import { fakeTool } from '../../testing/fakes/fake-tools.js';
import { DefinitionTokens } from '../../tool/token-count.js';
import { type ToolEvent, ToolEvents } from '../../tool/tool-event.js';
import type { ExposureChoice, SurfaceRequest } from '../../toolbox/surface/surface.js';
import { withDefaults } from '../../options/options.js';
import { directoryOptions } from './directory.js';
import { type ExposureOptions, exposureSchema, hintOptions, PromptExposure } from './prompt-exposure.js';

const settingsOf = (options: ExposureOptions) => ({
  ...withDefaults(exposureSchema, options),
  hints: withDefaults(hintOptions, options.hints),
  directory: withDefaults(directoryOptions, options.directory),
});

function exposureOf(options: ExposureOptions) {
  const happened: ToolEvent[] = [];
  const events = new ToolEvents();
  events.on('*', (event) => void happened.push(event));
  return { exposure: new PromptExposure(settingsOf(options), new DefinitionTokens(), events), happened };
}
const CONTEXT = { tenantId: 'acme', userId: 'ada', runId: 'r1' };
const AT = { context: CONTEXT, mode: 'deferred' } as const;
const TOOL = fakeTool({ name: 'crm.read', description: `Reads\n${'a customer '.repeat(50)}` });

describe('PromptExposure', () => {
  it('contains guidance for searching, unless the application turns it off', () => {
    const nothing = { ...AT, visible: [], suggested: [], metaNames: { search: 'tool_search' } };
    expect(exposureOf({}).exposure.prompt(nothing)).toEqual({ guidance: expect.stringContaining('tool_search') });
    expect(exposureOf({ guidance: true }).exposure.prompt(nothing)).toEqual(exposureOf({}).exposure.prompt(nothing));
    expect(exposureOf({ guidance: false }).exposure.prompt(nothing)).toEqual({});
    expect(exposureOf({ guidance: 'Ask first.' }).exposure.prompt(nothing)).toEqual({ guidance: 'Ask first.' });
  });

  it('names suggestions with one line each, and reports how many', () => {
    const { exposure, happened } = exposureOf({ hints: { enabled: true } });
    const { hints } = exposure.prompt({ ...AT, visible: [TOOL], suggested: [TOOL] });
    expect(hints?.split('\n')).toHaveLength(4);
    expect(hints).toContain('- crm.read: Reads a customer');
    expect(happened).toEqual([
      { type: 'hints.rendered', at: expect.any(Number), tenantId: 'acme', runId: 'r1', tools: 1 },
    ]);
  });

  it('lists in the directory what can be searched, not what is listed anyway', () => {
    const { exposure, happened } = exposureOf({ directory: { enabled: true } });
    const always = fakeTool({ name: 'crm.always', loading: 'always' });
    const { directory } = exposure.prompt({ ...AT, visible: [TOOL, always], suggested: [] });
    expect(directory).toContain('crm.read');
    expect(directory).not.toContain('crm.always');
    expect(happened).toMatchObject([{ type: 'directory.rendered', groups: 1, tools: 1, level: 'names', collapsed: 0 }]);
  });

  it('asks for suggestions only where they are switched on', () => {
    expect(exposureOf({}).exposure.hints.topK).toBe(0);
    expect(exposureOf({ hints: { enabled: true } }).exposure.hints).toEqual({
      topK: 5,
      includeAlwaysLoaded: false,
      type: 'bm25',
    });
    expect(exposureOf({ hints: { topK: 3 } }).exposure.hints.topK).toBe(0);
  });

  it('takes the window of the request before the option, and 128,000 before none', () => {
    // One tool of 300 tokens against ten percent of the window.
    const tokens = new DefinitionTokens(() => 300);
    const modeOf = (options: ExposureOptions, contextWindow?: number) =>
      new PromptExposure(settingsOf(options), tokens, new ToolEvents()).settle(
        contextWindow === undefined ? {} : { contextWindow },
        CONTEXT,
        undefined,
        [TOOL],
      ).mode;
    expect([
      modeOf({}),
      modeOf({ contextWindow: 3000 }),
      modeOf({ contextWindow: 3000 }, 3001),
      modeOf({}, 3000),
    ]).toEqual(['all', 'deferred', 'all', 'deferred']);
  });

  it('asks the module, the context, the toolbox and the request, the most specific last', () => {
    const { exposure } = exposureOf({
      mode: 'deferred',
      forContext: ({ userId }) => (userId === 'ada' ? 'bridge' : undefined),
    });
    const settled = (request: SurfaceRequest, own?: ExposureChoice, userId = 'ada') => {
      const { mode, reason } = exposure.settle(request, { ...CONTEXT, userId }, own, [TOOL]);
      return [mode, reason.by];
    };
    expect(settled({}, undefined, 'bob')).toEqual(['deferred', 'module']);
    expect(settled({})).toEqual(['bridge', 'context']);
    expect(settled({}, 'deferred')).toEqual(['deferred', 'toolbox']);
    expect(settled({ mode: 'all' }, 'deferred')).toEqual(['all', 'request']);
    expect(settled({ mode: { mode: 'on', deferral: 'native' }, canDefer: true })).toEqual(['native', 'request']);
  });

  it('cannot be changed to search by a request if the module lists everything', () => {
    const { exposure } = exposureOf({ mode: 'off', forContext: () => 'deferred' });
    const { mode, reason } = exposure.settle({ mode: 'bridge' }, CONTEXT, 'deferred', [TOOL]);
    expect([mode, reason.by]).toEqual(['all', 'module']);
  });
});
