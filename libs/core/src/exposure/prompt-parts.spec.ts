import fc from 'fast-check';
import { FakeSource, type FakeSourceTool } from '../testing/fakes/fake-source.js';
import { expectSame } from '../testing/contracts/expect-same.js';
import { openToolbox, type OpenToolbox, type ToolboxSetup } from '../testing/open-toolbox.js';
import type { ExposureMode } from '../toolbox/surface/surface.js';

const PARTS = { hints: { enabled: true }, directory: { enabled: true, detail: 'full' } } as const;
const FILES: readonly FakeSourceTool[] = [
  { name: 'read_file', description: 'Read a file.' },
  {
    name: 'delete_file',
    description: 'Delete a file.',
    examples: [{ args: { path: '/tmp/x', force: true }, tags: ['minimal'] }],
    inputSchema: { type: 'object', properties: { path: { type: 'string' }, force: { type: 'boolean' } } },
  },
];
const BILLING: readonly FakeSourceTool[] = [{ name: 'refund', description: 'Refund an invoice.' }];

describe('prompt parts of a toolbox', () => {
  const open: OpenToolbox[] = [];
  afterEach(() => Promise.all(open.splice(0).map((world) => world.close())));
  const application = async (
    setup: ToolboxSetup = {},
    order: readonly (readonly FakeSourceTool[])[] = [FILES, BILLING],
  ) => {
    const sources = order.map((tools) => new FakeSource(tools === BILLING ? 'billing' : 'files', tools));
    const world = await openToolbox({ options: { exposure: { mode: 'deferred', ...PARTS } }, sources, ...setup });
    open.push(world);
    return world;
  };

  it('say how to call found tools in the mode of the step, by the meta tools of that mode', async () => {
    const { toolbox } = await application();
    const guidanceIn = async (mode: ExposureMode) => (await toolbox.surface({ mode, canDefer: true })).prompt.guidance;
    expect(await guidanceIn('deferred')).toContain('tool_get');
    expect(await guidanceIn('deferred')).not.toContain('tool_call');
    expect(await guidanceIn('bridge')).toContain('call each through tool_call');
    expect(await guidanceIn('native')).toContain('held back');
    expect(await guidanceIn('all')).toBeUndefined();
    const loading = await application({
      options: { exposure: { mode: 'deferred', ...PARTS }, activation: { activateOn: 'load' } },
    });
    expect((await loading.toolbox.surface()).prompt.guidance).toContain('Load what you need with tool_load');
  });

  it('have the same bytes for any order of tools, calls and parallel requests', async () => {
    const [one, other] = await Promise.all([application(), application({}, [BILLING, FILES.toReversed()])]);
    const expected = JSON.stringify((await one!.open().surface({ text: 'a file' })).prompt);
    expect(expected).toContain('files.read_file: Read a file.');
    const world = fc.constantFrom(one!, other!);
    const words = fc.constantFrom('a file', 'refund an invoice', undefined);
    const step = async (of: OpenToolbox, text: string | undefined) =>
      JSON.stringify((await of.open().surface(text === undefined ? {} : { text })).prompt);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(world, words), { maxLength: 6 }), async (noise) => {
        const among = noise.map(([of, text]) => step(of, text));
        const prompts = await Promise.all([step(one!, 'a file'), ...among, step(other!, 'a file')]);
        expectSame([prompts[0], prompts.at(-1)], [expected, expected]);
      }),
      { numRuns: 30 },
    );
  });

  it('are those of the turn: what is switched off is gone from the next step, in a resumed run too', async () => {
    const { open: openAs, killSwitches } = await application();
    const before = openAs({ runId: 'r1' });
    const { prompt } = await before.surface({ text: 'delete a file' });
    expect(prompt.hints).toContain('files.delete_file');
    expect(prompt.directory).toContain('files.delete_file');
    await before.pause();
    await killSwitches.engage({ actor: 'olga', reason: 'incident', kind: 'tool', value: 'files.delete_file' });
    const resumed = openAs({ runId: 'r1' });
    await resumed.resume();
    for (const toolbox of [before, resumed]) {
      const now = JSON.stringify((await toolbox.surface({ text: 'delete a file' })).prompt);
      expect(now).not.toContain('delete_file');
      expect(now).toContain('files.read_file');
    }
  });

  it('show names as the conversation has them', async () => {
    const { toolbox } = await application();
    const naming = { shown: (name: string) => name.replace('.', '__'), canonical: (name: string) => name };
    const { prompt } = await toolbox.surface({ text: 'delete a file', naming });
    expect(prompt.directory).toContain('files__read_file');
    expect(prompt.hints).toContain('files__delete_file');
    expect(JSON.stringify(prompt)).not.toMatch(/files\.|billing\./);
  });

  it('report to what a small budget has brought the directory', async () => {
    const { toolbox, eventsOf } = await application({
      options: {
        countTokens: (text) => text.length,
        exposure: { mode: 'deferred', directory: { enabled: true, maxTokens: 110 } },
      },
    });
    expect((await toolbox.surface()).prompt.directory).toContain('- files (2)');
    expect(eventsOf('directory.rendered')).toMatchObject([{ level: 'groups', collapsed: 0, groups: 2, tools: 0 }]);
  });

  it('carry examples in the definitions of listed tools, and count them', async () => {
    const examples = { inDefinitions: true };
    const { toolbox, tokens } = await application({ options: { exposure: 'deferred', examples } });
    const plain = await application();
    await toolbox.search({ query: 'delete a file' });
    const listed = (await toolbox.surface()).tools.find(({ name }) => name === 'files.delete_file');
    expect(listed?.description).toBe('Delete a file.\n\nExamples:\n- (minimal): {"force":true,"path":"/tmp/x"}');
    expect(listed?.definition.description).toBe('Delete a file.');
    expect((await toolbox.surface({ mode: 'all' })).tools.find(({ name }) => name === listed?.name)).toEqual(listed);
    expect(tokens.of(listed!.definition)).toBeGreaterThan(plain.tokens.of(listed!.definition));
  });
});
