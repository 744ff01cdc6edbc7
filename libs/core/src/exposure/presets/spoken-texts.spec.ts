import { FakeSource } from '../../testing/fakes/fake-source.js';
import { openToolbox } from '../../testing/open-toolbox.js';
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
