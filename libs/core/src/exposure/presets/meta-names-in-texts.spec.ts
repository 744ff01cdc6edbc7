import fc from 'fast-check';
import { FakeSource } from '../../testing/fakes/fake-source.js';
import { openToolbox } from '../../testing/open-toolbox.js';
import { type MetaKind, type MetaNames, OWN_META_NAMES } from '../../tool/meta-names.js';
import type { ToolNaming } from '../../tool/tool-name.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { ExposureMode } from '../../toolbox/surface/surface.js';
import type { Toolbox } from '../../toolbox/toolbox.js';
import type { ToolboxOptions } from '../../runtime/toolbox-options.js';

const RENAMED = { search: 'find_it', get: 'read_it', load: 'take_it', call: 'run_it' };
const OURS = /tool_(search|get|load|call|describe)|search_tools|load_tool/g;

interface Way {
  readonly preset?: NonNullable<ToolboxOptions['preset']>;
  readonly mode: ExposureMode;
  readonly activateOn: 'call' | 'load' | 'search';
  readonly metaTools?: typeof RENAMED;
}
const MODES = ['deferred', 'bridge', 'native', 'all'] as const;
const ways = ([undefined, 'penguiflow', 'praisonai', 'mastra'] as const).flatMap((preset) =>
  MODES.flatMap((mode) =>
    (['call', 'load', 'search'] as const).map((activateOn): Way => ({ mode, activateOn, ...(preset && { preset }) })),
  ),
);

async function opened({ preset, mode, activateOn, metaTools }: Way) {
  const source = new FakeSource('crm', [
    {
      name: 'read_customer',
      description: 'Read a customer.',
      inputSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
    },
    'list_customers',
  ]);
  return openToolbox({
    sources: [source],
    options: {
      ...(preset && { preset }),
      activation: { activateOn, maxTools: 1 },
      exposure: {
        mode: mode === 'all' ? 'auto' : mode,
        ...(metaTools && { metaTools }),
        hints: { enabled: true },
        directory: { enabled: true },
      },
    },
  });
}

const deep = (levels: number): object => (levels === 0 ? {} : { a: deep(levels - 1) });

/** All texts that a model may read, from prompts to refusals, for calls with valid and invalid arguments. */
async function textsOf(toolbox: Toolbox, mode: ExposureMode): Promise<readonly string[]> {
  const { meta, prompt } = await toolbox.surface({ mode, canDefer: true, text: 'read a customer' });
  const texts = [JSON.stringify(meta), JSON.stringify(prompt)];
  const say = async (name: string, input: unknown) => texts.push(JSON.stringify(await toolbox.call(name, input)));
  for (const name of ['no.such', 'crm.read_customer']) {
    for (const input of [{}, { id: 7 }, deep(40), 'text', { id: 'c' }]) await say(name, input);
  }
  const inputs = [
    [{}, [], { query: 'hydrofoil' }, { query: 'hydrofoil' }, { query: 'read a customer' }, { query: '' }, { query: 7 }],
    [{ query: 'x', type: 'nope' }, { query: 'x', search_type: 'nope' }, { query: 'x', limit: 0 }, { querys: 'x' }],
    [{ names: [] }, { names: ['no.such'] }, { names: ['*'] }, { names: ['crm.read_customer', 'no.such'] }],
    [{ tool_name: 'no.such' }, { tool_name: 7 }, { tool_name: 'crm.list_customers', tool_args: { a: 1 } }],
    [{ toolName: 'no.such' }, { toolName: 'customer' }, { toolNames: [] }, { toolNames: ['crm.list_customers', 'x'] }],
    [{ toolName: '*' }, { name: 7 }, { name: 'no.such' }, { name: 'crm.read_customer', arguments: {} }],
  ].flat();
  for (const { name } of meta) for (const input of inputs) await say(name, input);
  return texts;
}

describe('what a model reads', () => {
  it.each(ways)('never names a meta tool otherwise than the application: $preset $mode $activateOn', async (way) => {
    const { toolbox } = await opened({ ...way, metaTools: RENAMED });
    const texts = await textsOf(toolbox, way.mode);
    for (const text of texts) expect(text).not.toMatch(OURS);
    const names = Object.values(RENAMED).filter((name) => texts.slice(2).some((text) => text.includes(name)));
    // In `all` there are no meta tools; in the other modes the check is only meaningful if some text names one.
    expect(names.length > 0).toBe(way.mode !== 'all');
  });

  it.each(ways)('names no meta tool that it does not have: $preset $mode $activateOn', async (way) => {
    const { toolbox } = await opened(way);
    const texts = await textsOf(toolbox, way.mode);
    const { meta } = await toolbox.surface({ mode: way.mode, canDefer: true });
    const had = meta.map(({ name }) => name);
    for (const text of texts) {
      for (const [name] of text.matchAll(OURS)) expect(had).toContain(name);
    }
  });

  it('is about the mode in which it was shown the toolbox last', async () => {
    const { toolbox } = await opened({ preset: 'mastra', mode: 'deferred', activateOn: 'load' });
    const hint = async () => {
      const result = await toolbox.call('crm.read_customer', {});
      return result.ok ? '' : result.hint;
    };
    expect(await hint()).toBe('Correct the arguments and call again.');
    await toolbox.surface({ mode: 'bridge' });
    expect(await hint()).toBe('Correct the arguments and call again. You can read the input schema with tool_get.');
    await toolbox.surface({ mode: 'all' });
    expect(await toolbox.call('no.such', {})).toEqual({
      ok: false,
      code: 'TOOL_NOT_AVAILABLE',
      message: 'This tool is not available.',
    });
  });

  it('leaves to programs the names they know', async () => {
    const { toolbox } = await opened({ mode: 'deferred', activateOn: 'call', metaTools: RENAMED });
    await expect(toolbox.get(['no.such'])).rejects.toMatchObject({ hint: expect.stringContaining('tool_search') });
    expect([...toolbox.metaKinds]).toEqual([
      ['find_it', 'search'],
      ['read_it', 'get'],
      ['run_it', 'call'],
      ['tool_result', 'result'],
    ]);
  });

  it('is an answer also where the toolbox was opened in a mode that nobody can read', async () => {
    const world = await opened({ mode: 'deferred', activateOn: 'call' });
    const { Toolbox: Box } = await import('../../toolbox/toolbox.js');
    const toolbox = new Box(world, () => ({ tenantId: 'acme' }), [], 'sideways' as never);
    expect(await toolbox.call('no.such', {})).toMatchObject({ ok: false, code: 'INVALID_REQUEST' });
  });
});

/** The meta tools that a model has in a mode, by kind. */
async function namesIn(toolbox: Toolbox, mode: ExposureMode): Promise<Partial<MetaNames>> {
  const { meta } = await toolbox.surface({ mode, canDefer: true });
  const listed = new Set(meta.map(({ name }) => name));
  const kinds = [...toolbox.metaKinds].filter(([name, kind]) => listed.has(name) || kind === 'result');
  return Object.fromEntries(kinds.map(([name, kind]) => [kind, name]));
}

/** A hint with the default names, as a model reads it: without the sentences about meta tools that it does not have. */
function reworded(hint: string, names: Partial<MetaNames>): string | undefined {
  const kinds = Object.entries(OWN_META_NAMES) as [MetaKind, string][];
  const sentences = hint.split(/(?<=\.) /).filter((sentence) => {
    return kinds.every(([kind, name]) => !sentence.includes(name) || names[kind] !== undefined);
  });
  const words = sentences.map((sentence) =>
    sentence.replaceAll(/tool_(\w+)/g, (_, kind: MetaKind) => names[kind] ?? ''),
  );
  return words.length === 0 ? undefined : words.join(' ');
}

const WIRE: ToolNaming = {
  shown: (name) => name.replaceAll('.', '__'),
  canonical: (name) => name.replaceAll('__', '.'),
};

const UNKNOWN = 'Use tool_search to find tools you can use, then call one by the name it returns.';
/** In the arguments of a bridge; a preset names it otherwise. */
const WRONG_NAME = { name: 7 };
const COPY = 'Copy it from an answer of tool_search.';
/** What tools say themselves: it belongs to them, whatever stands in it. */
const OWN_WORDS = 'Ask tool_search. Then tool_get, tool_load, tool_call and tool_result.';

interface Refusal {
  readonly title: string;
  /** What is called; a meta tool by its kind. */
  readonly call: string | { readonly kind: MetaKind };
  readonly input: unknown;
  /** The hint with the default names. */
  readonly hint: string;
}

const refusals: readonly Refusal[] = [
  { title: 'an unknown tool', call: 'no.such', input: {}, hint: UNKNOWN },
  {
    title: 'wrong arguments',
    call: 'crm.read_customer',
    input: {},
    hint: 'Correct the arguments and call again. You can read the input schema with tool_get.',
  },
  {
    title: 'arguments that the tool itself refuses',
    call: 'crm.picky',
    input: {},
    hint: 'Correct them. Read it with tool_get.',
  },
  { title: 'a retired tool', call: 'crm.retired', input: {}, hint: 'Use tool_search to find another tool.' },
  {
    title: 'arguments that are no object',
    call: { kind: 'search' },
    input: 'x',
    hint: 'Follow the input schema of tool_search.',
  },
  { title: 'a call of no tool', call: { kind: 'call' }, input: WRONG_NAME, hint: COPY },
];
const readings: readonly Refusal[] = [
  { title: 'no names', call: { kind: 'get' }, input: { names: [] }, hint: 'Find names with tool_search.' },
  { title: 'a glob', call: { kind: 'get' }, input: { names: ['*'] }, hint: 'Copy names from a tool_search answer.' },
  { title: 'unknown names', call: { kind: 'get' }, input: { names: ['no.such'] }, hint: UNKNOWN },
];

async function world({
  preset,
  mode,
  activateOn,
  metaTools,
}: Omit<Way, 'metaTools'> & { metaTools?: Partial<MetaNames> }) {
  const hint = ({ get }: Partial<MetaNames>) => `Correct them.${get === undefined ? '' : ` Read it with ${get}.`}`;
  const fails = (options: { hint: string | typeof hint }) => () => {
    throw new ToolSearchError('INVALID_ARGUMENTS', `Refused: ${OWN_WORDS}`, options);
  };
  const source = new FakeSource('crm', [
    {
      name: 'read_customer',
      description: 'Read a customer.',
      inputSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
    },
    { name: 'picky', run: fails({ hint }) },
    { name: 'fails', run: fails({ hint: OWN_WORDS }) },
    { name: 'says', description: OWN_WORDS, run: () => OWN_WORDS },
    { name: 'retired', deprecated: { sunset: '2020-01-01' } },
  ]);
  const exposure = { mode: mode === 'all' ? ('auto' as const) : mode, ...(metaTools && { metaTools }) };
  const { toolbox } = await openToolbox({
    sources: [source],
    options: { ...(preset && { preset }), activation: { activateOn }, exposure },
  });
  return { toolbox, names: await namesIn(toolbox, mode) };
}

const legalName = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,20}$/);
const someNames = fc
  .uniqueArray(legalName, {
    minLength: 5,
    maxLength: 5,
    selector: (name) => name.toLowerCase().replaceAll(/[-_]+/g, '_'),
  })
  .map(([search, get, load, call, result]) => ({ search, get, load, call, result }) as MetaNames);

describe('a hint', () => {
  const opened = fc.record({
    way: fc.constantFrom(...ways),
    metaTools: fc.option(someNames, { nil: undefined }),
    naming: fc.constantFrom(undefined, WIRE),
  });

  it('names meta tools as the model knows them, for every preset, mode and naming', async () => {
    await fc.assert(
      fc.asyncProperty(opened, async ({ way, metaTools, naming }) => {
        const { toolbox, names } = await world({ ...way, ...(metaTools && { metaTools }) });
        // Two presets read definitions by arguments of their own.
        const asked = way.preset === 'praisonai' ? refusals : [...refusals, ...readings];
        for (const { title, call, hint, ...given } of asked) {
          const input = given.input === WRONG_NAME && way.preset === 'praisonai' ? { tool_name: 7 } : given.input;
          const name = typeof call === 'string' ? call : names[call.kind];
          if (name === undefined) continue;
          const result = await toolbox.call(name, input, naming ? { naming } : {});
          expect([title, result.ok ? 'ok' : result.hint]).toEqual([title, reworded(hint, names)]);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('and other words of a tool stay as they are, whatever stands in them', async () => {
    await fc.assert(
      fc.asyncProperty(opened, async ({ way, metaTools, naming }) => {
        const { toolbox, names } = await world({ ...way, ...(metaTools && { metaTools }) });
        const call = (name: string, input: unknown) => toolbox.call(name, input, naming ? { naming } : {});
        expect(await call('crm.fails', {})).toMatchObject({ message: `Refused: ${OWN_WORDS}`, hint: OWN_WORDS });
        expect(await call('crm.says', {})).toMatchObject({ content: [{ text: OWN_WORDS }] });
        if (names.search === undefined) return;
        const found = await call(names.search, { query: OWN_WORDS });
        expect(JSON.stringify(found)).toContain(OWN_WORDS);
      }),
      { numRuns: 60 },
    );
  });
});
