import Anthropic from '@anthropic-ai/sdk';
import { anthropicBeta } from '@tool-search/agents/anthropic';
import { FakeSource, openToolbox } from '@tool-search/core/testing';
import { withToolChanges } from '../readme/agents.js';
import type { Script } from '../support/adapters/adapter-driver';
import { AnthropicServer } from '../support/adapters/anthropic/anthropic-server';

type Body = Pick<Anthropic.Beta.MessageCreateParamsNonStreaming, 'tools' | 'messages'>;

const TOPICS = ['parcel', 'invoice', 'garden', 'flight', 'recipe'];
const PARAMS = { model: 'claude-test', max_tokens: 1024 };

describe('tools that change inside a conversation with Anthropic', () => {
  it('leaves tools and all earlier messages the same bytes over five activations and a kill switch', async () => {
    const { toolbox, off, executed } = await world();
    const script: Script = async ({ results }, step) => {
      if (step < 10) return step % 2 === 0 ? search(step / 2) : call(`t.${TOPICS[(step - 1) / 2]}`);
      if (step === 10) {
        await off('t.garden');
        return call('t.parcel');
      }
      return step === 11 ? call('t.garden') : { text: results[0]?.text ?? '' };
    };

    const { bodies, text, turns } = await converse(toolbox, script, { mode: 'native' });

    expect(bodies).toHaveLength(13);
    for (const [index, { tools, messages }] of bodies.entries()) {
      expect(JSON.stringify(tools)).toBe(JSON.stringify(bodies[0]?.tools));
      const earlier = bodies[index - 1]?.messages ?? [];
      expect(JSON.stringify(messages.slice(0, earlier.length))).toBe(JSON.stringify(earlier));
    }
    expect(changesOf(bodies.at(-1))).toEqual([...TOPICS.map((topic) => `+t__${topic}`), '-t__garden']);
    // The step after the kill switch, and every later one.
    expect(turns.map(({ tools }) => tools.some(({ name }) => name === 't__garden')).slice(10)).toEqual([
      true,
      false,
      false,
    ]);
    expect(text).toContain('TOOL_NOT_AVAILABLE');
    expect(executed.map(({ name }) => name)).toEqual([...TOPICS, 'parcel']);
  });

  it('brings a tool back by its name, as the conversation has its definition already', async () => {
    const { toolbox, off } = await world();
    let release: () => Promise<unknown> = () => Promise.resolve();
    const script: Script = async (_turn, step) => {
      if (step === 0) return search(0);
      if (step === 1) release = await off('t.parcel');
      if (step === 2) await release();
      return step < 3 ? call('t.clock') : { text: 'done' };
    };

    const { bodies } = await converse(toolbox, script);

    expect(changesOf(bodies.at(-1))).toEqual(['+t__parcel', '-t__parcel', '&t__parcel']);
  });

  it('goes on in another process with the same tools and messages', async () => {
    const { toolbox } = await world();
    const first = await converse(toolbox, (_turn, step) => (step === 0 ? search(0) : { text: 'found' }));
    const second = await converse(
      toolbox,
      (_turn, step) => (step === 0 ? call('t.parcel') : { text: 'done' }),
      {},
      JSON.parse(JSON.stringify({ messages: first.messages, tools: first.tools })) as Body,
    );

    expect(JSON.stringify(second.bodies[0]?.tools)).toBe(JSON.stringify(first.bodies[0]?.tools));
    expect(JSON.stringify(second.bodies.at(-1)?.messages).startsWith(JSON.stringify(first.messages).slice(0, -1))).toBe(
      true,
    );
    expect(changesOf(second.bodies.at(-1))).toEqual(['+t__parcel']);
  });

  it('withdraws a tool that was there from the start, and leaves its definition where it was', async () => {
    const { toolbox, off } = await world();
    const { bodies, turns } = await converse(toolbox, async (_turn, step) => {
      if (step === 0) await off('t.clock');
      return step === 0 ? search(0) : { text: 'done' };
    });

    expect(bodies[1]?.tools).toEqual(bodies[0]?.tools);
    expect(changesOf(bodies[1])).toEqual(['-t__clock', '+t__parcel']);
    expect(turns[1]?.tools.map(({ name }) => name)).toEqual(['tool_search', 'tool_get', 't__parcel']);
  });

  it('answers a search with names where the definitions follow', async () => {
    const { toolbox } = await world();
    const { turns } = await converse(toolbox, (_turn, step) => (step === 0 ? search(0) : { text: 'done' }), {
      mode: 'native',
    });
    expect(turns[1]?.results[0]?.text).toBe('You can call t__parcel: see the definitions.');
  });

  it('runs as the documentation shows', async () => {
    const { toolbox } = await world();
    const server = await AnthropicServer.start((_turn, step) => (step === 0 ? search(0) : { text: 'done' }));
    const client = new Anthropic({ apiKey: 'test', baseURL: server.baseURL, maxRetries: 0 });
    await expect(withToolChanges(toolbox, client, 'Find it.')).resolves.toMatchObject({ text: 'done', steps: 2 });
    await server.close();
  });

  it('adds fewer definitions than the list would have, and describes the others', async () => {
    const { toolbox } = await world();
    const script: Script = (_turn, step) =>
      step === 0 ? { calls: [{ name: 'tool_search', arguments: { query: 'find thing' } }] } : { text: 'done' };
    const { bodies, turns } = await converse(toolbox, script, { mode: 'native', offerTokens: 1 });

    expect(changesOf(bodies[1])).toHaveLength(1);
    expect(turns[1]?.results[0]?.text).toMatch(/"listed":false/);
  });

  it('leaves out changes that the API would refuse', async () => {
    const { toolbox } = await world();
    const messages: Anthropic.Beta.BetaMessageParam[] = [
      { role: 'user', content: 'hello' },
      { role: 'system', content: [{ type: 'tool_removal', tool: { type: 'tool_reference', name: 'gone' } }] },
      { role: 'assistant', content: 'hi' },
      { role: 'user', content: 'well' },
      { role: 'system', content: [{ type: 'tool_removal', tool: { type: 'tool_reference', name: 't__clock' } }] },
    ];
    const { bodies } = await converse(toolbox, () => ({ text: 'done' }), {}, { messages });
    expect(bodies[0]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'user']);
  });
});

async function converse(
  toolbox: Awaited<ReturnType<typeof world>>['toolbox'],
  script: Script,
  options: Parameters<typeof anthropicBeta>[1] = {},
  { messages = [], tools }: Partial<Body> = {},
) {
  const server = await AnthropicServer.start(script);
  try {
    const client = new Anthropic({ apiKey: 'test', baseURL: server.baseURL, maxRetries: 0 });
    const params = { ...PARAMS, tools, messages: [...messages, { role: 'user' as const, content: 'Go on.' }] };
    const run = await anthropicBeta(toolbox, options).run(client, params);
    return { ...run, turns: server.turns, bodies: server.bodies as unknown as Body[] };
  } finally {
    await server.close();
  }
}

/** `+name` for a definition, `&name` for a reference, `-name` for a removal. */
function changesOf(body: Body | undefined): string[] {
  return (body?.messages ?? []).flatMap(({ role, content }) =>
    role !== 'system' || !Array.isArray(content)
      ? []
      : content.flatMap((block) => {
          if (block.type !== 'tool_addition' && block.type !== 'tool_removal') return [];
          const { tool } = block;
          if (tool.type === 'tool_definition') return [`+${(tool.definition as { name: string }).name}`];
          return [`${block.type === 'tool_removal' ? '-' : '&'}${'name' in tool ? tool.name : ''}`];
        }),
  );
}

function search(topic: number) {
  return { calls: [{ name: 'tool_search', arguments: { query: `find ${TOPICS[topic]}`, limit: 1 } }] };
}

function call(name: string) {
  return { calls: [{ name: name.replace('.', '__'), arguments: {} }] };
}

async function world() {
  const source = new FakeSource('t', [
    { name: 'clock', description: 'The time now.', loading: 'always', run: () => 'noon' },
    ...TOPICS.map((topic) => ({ name: topic, description: `Find a thing: ${topic}.`, run: () => topic })),
  ]);
  const { toolbox, killSwitches } = await openToolbox({ sources: [source] });
  const off = async (value: string) => {
    const { killSwitch, revision } = await killSwitches.engage({
      kind: 'tool',
      value,
      reason: 'incident',
      actor: 'ops',
    });
    return () => killSwitches.release(killSwitch.id, { reason: 'over', actor: 'ops', expectedRevision: revision });
  };
  return { toolbox, off, executed: source.calls };
}
