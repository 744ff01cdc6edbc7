import { FakeSource, openToolbox } from '@tool-search/core/testing';
import type { ExposureMode } from '@tool-search/core/internal';
import type { AdapterDriver, ScriptedReply } from '../support/adapters/adapter-driver';
import { aiSdkAnthropicDriver } from '../support/adapters/anthropic/ai-sdk-anthropic.driver';
import { anthropicBetaDriver } from '../support/adapters/anthropic/anthropic-beta.driver';
import { anthropicDriver } from '../support/adapters/anthropic/anthropic.driver';

const MODES: readonly ExposureMode[] = ['all', 'deferred', 'bridge', 'native'];

describe.each([anthropicDriver, anthropicBetaDriver, aiSdkAnthropicDriver] as AdapterDriver[])('$name', (driver) => {
  it.each(MODES)('finds a tool and calls it in %s', async (mode) => {
    const { toolbox, post } = await world();
    const { answer, turns } = await driver.run(toolbox, {
      mode,
      prompt: 'Where is p1?',
      script: ({ results }, step): ScriptedReply => {
        if (step === 0 && mode !== 'all') return search('track a parcel');
        if (post.calls.length === 0) return call('post__track', { id: 'p1' }, mode);
        return { text: `It is ${results[0]?.text}.` };
      },
    });

    expect(answer).toBe('It is in Berlin.');
    expect(post.calls).toMatchObject([{ name: 'track', input: { id: 'p1' } }]);
    expect(turns.map(({ tools }) => tools.map(({ name }) => name).join(' '))).toEqual(LISTED[mode]);
  });

  it.each(MODES)('makes several calls at once in %s and answers each', async (mode) => {
    const { toolbox, post } = await world();
    const { turns } = await driver.run(toolbox, {
      mode,
      prompt: 'Where are they?',
      script: (_turn, step): ScriptedReply => {
        if (step === 0 && mode !== 'all') return search('track a parcel');
        if (post.calls.length > 0) return { text: 'done' };
        return {
          calls: ['p1', 'p2', 'p3'].flatMap((id) => {
            const reply = call('post__track', { id }, mode);
            return 'calls' in reply ? reply.calls : [];
          }),
        };
      },
    });

    expect(post.calls.map(({ input }) => input)).toEqual([{ id: 'p1' }, { id: 'p2' }, { id: 'p3' }]);
    expect(turns.at(-1)?.results.map(({ text }) => text)).toEqual(['in Berlin', 'in Berlin', 'in Berlin']);
  });

  it.each(MODES)(
    'drops a tool that is switched off in the middle of a run, and refuses its call, in %s',
    async (mode) => {
      const { toolbox, post, off } = await world();
      const { answer, turns } = await driver.run(toolbox, {
        mode,
        prompt: 'Where is p1?',
        script: async ({ tools, results }, step): Promise<ScriptedReply> => {
          if (step === 0) return mode === 'all' ? call('clock__now', {}, mode) : search('track a parcel');
          if (step === 1) {
            await off('post.track');
            return call('clock__now', {}, mode);
          }
          if (step === 2) {
            expect(tools.map(({ name }) => name)).not.toContain('post__track');
            return call('post__track', { id: 'p1' }, mode);
          }
          return { text: results[0]?.text ?? '' };
        },
      });

      expect(answer).toContain('TOOL_NOT_AVAILABLE');
      expect(turns).toHaveLength(4);
      expect(post.calls).toEqual([]);
    },
  );

  it.each(MODES)('runs a call of a tool that is visible but not listed in %s, and lists it then', async (mode) => {
    const { toolbox, post } = await world();
    const { turns } = await driver.run(toolbox, {
      mode,
      prompt: 'Where is p1?',
      script: (_turn, step) => (step === 0 ? call('post__track', { id: 'p1' }, mode) : { text: 'done' }),
    });

    expect(post.calls).toHaveLength(1);
    const names = turns.at(-1)?.tools.map(({ name }) => name);
    if (mode !== 'bridge') expect(names).toContain('post__track');
    expect(turns.at(-1)?.results).toMatchObject([{ text: 'in Berlin' }]);
  });

  it('returns the guidance for the listed tools', async () => {
    const { toolbox } = await world();
    const { turns } = await driver.run(toolbox, { mode: 'deferred', prompt: 'x', script: () => ({ text: 'y' }) });

    expect(turns[0]?.instructions).toContain('Most tools are not listed');
  });
});

const LISTED: Record<ExposureMode, readonly string[]> = {
  all: Array(2).fill('agenda__add agenda__clear clock__now post__lose post__track') as string[],
  deferred: [
    'tool_search tool_get clock__now',
    ...(Array(2).fill('tool_search tool_get clock__now post__track') as string[]),
  ],
  bridge: Array(3).fill('tool_search tool_get tool_call clock__now') as string[],
  native: [
    'tool_search tool_get clock__now',
    ...(Array(2).fill('tool_search tool_get clock__now post__track') as string[]),
  ],
};

function search(query: string): ScriptedReply {
  return { calls: [{ name: 'tool_search', arguments: { query, limit: 1 } }] };
}

function call(name: string, input: unknown, mode: ExposureMode): ScriptedReply {
  const isBridged = mode === 'bridge' && name !== 'clock__now';
  return {
    calls: [isBridged ? { name: 'tool_call', arguments: { name, arguments: input } } : { name, arguments: input }],
  };
}

async function world() {
  const inputSchema = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
  const clock = new FakeSource('clock', [{ name: 'now', run: () => 'noon' }], { loading: 'always' });
  const post = new FakeSource('post', [
    { name: 'track', description: 'Track a parcel.', inputSchema, run: () => 'in Berlin' },
    { name: 'lose', description: 'Lose a letter.' },
  ]);
  const agenda = new FakeSource('agenda', [{ name: 'add', description: 'Add a calendar event.' }, 'clear']);
  const { toolbox, killSwitches } = await openToolbox({ sources: [agenda, clock, post] });
  const off = (name: string) => killSwitches.engage({ kind: 'tool', value: name, reason: 'incident', actor: 'ops' });
  return { toolbox, post, off };
}
