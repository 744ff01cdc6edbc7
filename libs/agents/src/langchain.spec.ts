import { AIMessage, HumanMessage, SystemMessage } from '@langchain/core/messages';
import { FakeSource, openToolbox } from '@tool-search/core/testing';
import { langchain, type LangChainToolbox } from './langchain.js';

const NUMBER = { type: 'object', properties: { number: { type: 'integer' } }, required: ['number'] };
const PNG = { type: 'image' as const, data: 'iVBORw0KGgo=', mimeType: 'image/png' };

const billing = () =>
  new FakeSource('billing', [
    { name: 'refund', inputSchema: NUMBER, run: ({ number }) => ({ refunded: number }) },
    { name: 'print', run: () => ({ content: [{ type: 'text', text: 'Here.' }, PNG] }) },
  ]);

const calls = (...tool_calls: { name: string; args: Record<string, unknown>; id: string }[]) =>
  new AIMessage({ content: '', tool_calls });

type ModelRequest = Parameters<NonNullable<LangChainToolbox['middleware']['wrapModelCall']>>[0];

/** The request that the middleware passes on to the model. */
async function wrapped({ middleware }: LangChainToolbox, request: Partial<ModelRequest> = {}): Promise<ModelRequest> {
  let seen: unknown;
  const plain = { messages: [new HumanMessage('hi')], tools: [], systemMessage: new SystemMessage(''), ...request };
  await middleware.wrapModelCall?.(plain as unknown as ModelRequest, (given) => {
    seen = given;
    return new AIMessage('hello');
  });
  return seen as ModelRequest;
}

describe('langchain', () => {
  it('gives hand-written loops tools that answer calls', async () => {
    const { toolbox } = await openToolbox({ sources: [billing()], options: { exposure: 'all' } });
    const [print, refund] = await langchain(toolbox).tools();
    expect([print?.name, refund?.name]).toEqual(['billing__print', 'billing__refund']);
    expect(refund?.schema).toMatchObject(NUMBER);
    const answer = await refund?.invoke({ type: 'tool_call', id: 'c1', name: 'billing__refund', args: { number: 7 } });
    expect(answer).toMatchObject({
      content: '{"refunded":7}',
      tool_call_id: 'c1',
      status: 'success',
      artifact: { refunded: 7 },
    });
    expect(await refund?.invoke({ number: 8 })).toBe('{"refunded":8}');
  });

  it('refuses in the toolbox’s words, never by throwing', async () => {
    const { toolbox } = await openToolbox({ sources: [billing()], options: { exposure: 'all' } });
    const [, refund] = await langchain(toolbox).tools();
    const answer = await refund!.answer({ id: 'c1', name: 'billing__refund', args: { number: 'seven' } });
    expect(answer.status).toBe('error');
    expect(JSON.parse(answer.text)).toMatchObject({ ok: false, code: 'INVALID_ARGUMENTS' });
  });

  it('answers all calls of a message in their order, unlisted and unknown ones too', async () => {
    const { toolbox } = await openToolbox({ sources: [billing()] });
    const answers = await langchain(toolbox).answer(
      calls(
        { name: 'billing__refund', args: { number: 1 }, id: 'c1' },
        { name: 'billing__invented', args: {}, id: 'c2' },
        { name: 'billing__print', args: {}, id: 'c3' },
      ),
    );
    expect(answers.map(({ tool_call_id: id, status }) => [id, status])).toEqual([
      ['c1', 'success'],
      ['c2', 'error'],
      ['c3', 'success'],
    ]);
    expect(JSON.parse(answers[1]!.text)).toMatchObject({ ok: false, code: 'TOOL_NOT_AVAILABLE' });
    expect(answers[2]?.content).toEqual([
      { type: 'text', text: 'Here.' },
      { type: 'image', mimeType: 'image/png', data: PNG.data },
    ]);
  });

  it('puts prompt parts where they are asked for', async () => {
    const { toolbox } = await openToolbox({ sources: [billing()] });
    const said = [new SystemMessage('Be brief.'), new HumanMessage('hi')];
    const system = await langchain(toolbox).step(said);
    expect(system.messages.map(({ text }) => text)).toEqual([expect.stringMatching(/^Be brief\.\n\nMost tools/), 'hi']);
    const alone = await langchain(toolbox).step(said.slice(1));
    expect(alone.messages.map(({ type }) => type)).toEqual(['system', 'human']);
    const end = await langchain(toolbox, { prompt: 'end' }).step(said);
    expect(end.messages.slice(0, 2)).toEqual(said);
    expect(end.messages[2]).toMatchObject({ type: 'human', content: expect.stringMatching(/^Most tools/) });
    expect((await langchain(toolbox, { prompt: 'none' }).step(said)).messages).toEqual(said);
  });

  it('gives every request to the model the newest list behind the agent’s own tools', async () => {
    const { toolbox } = await openToolbox({ sources: [billing()] });
    const mine = { type: 'function', name: 'mine' };
    const adapter = langchain(toolbox);
    const before = await wrapped(adapter, { tools: [mine], systemMessage: new SystemMessage('Be brief.') });
    expect(before.tools.map(({ name }) => name)).toEqual(['mine', 'tool_search', 'tool_get']);
    expect(before.tools[0]).toBe(mine);
    expect(before.systemMessage.text).toMatch(/^Be brief\.\n\nMost tools/);
    await toolbox.search({ query: 'refund' });
    expect((await wrapped(adapter)).tools.map(({ name }) => name)).toContain('billing__refund');
    const end = await wrapped(langchain(toolbox, { prompt: 'end' }));
    expect(end.systemMessage.text).toBe('');
    expect(end.messages.map(({ type }) => type)).toEqual(['human', 'human']);
  });

  it('leaves out a namesake of the agent’s own tool, and refuses one that is named like a meta tool', async () => {
    const { toolbox } = await openToolbox({ sources: [billing()], options: { exposure: 'auto' } });
    const leftOut: string[] = [];
    const adapter = langchain(toolbox, { mode: 'all', onLeftOut: ({ tool }) => leftOut.push(tool) });
    const { tools } = await wrapped(adapter, { tools: [{ name: 'billing__refund' }] });
    expect(tools.map(({ name }) => name)).toEqual(['billing__refund', 'billing__print']);
    expect(leftOut).toEqual(['billing.refund']);
    const meta = wrapped(langchain(toolbox, { mode: 'deferred' }), { tools: [{ name: 'tool_get' }] });
    await expect(meta).rejects.toMatchObject({ code: 'INVALID_CONFIGURATION' });
  });

  it('knows own tools in every form, and counts those that run at the provider', async () => {
    const { toolbox } = await openToolbox({ sources: [billing()], options: { exposure: 'auto' } });
    const leftOut: string[] = [];
    const onLeftOut = ({ tool }: { tool: string }) => leftOut.push(tool);
    const adapter = langchain(toolbox, { mode: 'all', onLeftOut, limits: { tools: 3 } });
    const own = [{ type: 'function', function: { name: 'billing__refund' } }, { type: 'mcp' }, { type: 'mcp' }];
    expect((await wrapped(adapter, { tools: own })).tools).toEqual(own);
    expect(leftOut).toEqual(['billing.refund', 'billing.print']);
    const alone = langchain(toolbox, { mode: 'all' });
    expect((await alone.tools([], ['billing__refund'])).map(({ name }) => name)).toEqual(['billing__print']);
    expect((await alone.step([], ['billing__refund'])).tools.map(({ name }) => name)).toEqual(['billing__print']);
  });

  it('shows native as deferred', async () => {
    const { toolbox } = await openToolbox({ sources: [billing()] });
    const tools = await langchain(toolbox, { mode: 'native' }).tools();
    expect(tools.map(({ name }) => name)).toEqual(['tool_search', 'tool_get']);
  });
});
