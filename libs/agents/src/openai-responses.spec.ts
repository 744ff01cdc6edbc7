import { FakeSource, type FakeSourceTool, openToolbox } from '@tool-search/core/testing';
import type { Response, ResponseInputItem, ResponseOutputItem, Tool } from 'openai/resources/responses/responses';
import { openaiResponses } from './openai-responses.js';
import { functionOutput } from './openai-responses/responses-tools.js';

const PNG = { type: 'image' as const, data: 'iVBORw0KGgo=', mimeType: 'image/png' };
const INVOICES: readonly FakeSourceTool[] = [
  { name: 'refund_invoice', description: 'Refund an invoice.' },
  { name: 'list_invoices', description: 'List all invoices.' },
];

const billing = (options = {}) => new FakeSource('billing', INVOICES, options);
const namesOf = (tools: readonly Tool[]) => tools.map((tool) => ('name' in tool ? tool.name : tool.type));

function searchCall(query: unknown, callId = 'call_1'): ResponseOutputItem {
  return {
    id: `tsc_${callId}`,
    type: 'tool_search_call',
    execution: 'client',
    call_id: callId,
    status: 'completed',
    arguments: query === undefined ? {} : { query },
  };
}

function functionCall(name: string, args: string, callId = 'call_9'): ResponseOutputItem {
  return { id: `fc_${callId}`, type: 'function_call', call_id: callId, name, arguments: args, status: 'completed' };
}

const asInput = (item: ResponseOutputItem) => item as ResponseInputItem;

describe('openaiResponses', () => {
  it('puts prompt parts where they are asked for, behind what the caller says itself', async () => {
    const { toolbox } = await openToolbox({ sources: [billing()] });
    const own = { instructions: 'Be brief.' };
    const system = await openaiResponses(toolbox).request('hi', own);
    expect(system.instructions).toMatch(/^Be brief\.\n\nMost tools are not listed\./);
    expect(system.input).toEqual([{ type: 'message', role: 'user', content: 'hi' }]);

    const end = await openaiResponses(toolbox, { prompt: 'end' }).request('hi', own);
    expect(end.instructions).toBe('Be brief.');
    expect(end.input.slice(1)).toEqual([
      { type: 'message', role: 'developer', content: expect.stringMatching(/^Most tools are not listed\./) },
    ]);

    const none = await openaiResponses(toolbox, { prompt: 'none' }).request('hi');
    expect(none).toEqual({ input: system.input, tools: system.tools });
  });

  it('sends the caller’s own tools first, leaves a namesake out and leaves their calls to the caller', async () => {
    const source = billing();
    const leftOut: unknown[] = [];
    const { toolbox } = await openToolbox({ sources: [source], options: { exposure: 'all' } });
    const responses = openaiResponses(toolbox, { onLeftOut: (tool) => leftOut.push(tool) });
    const mine: Tool = { type: 'function', name: 'billing__refund_invoice', parameters: null, strict: null };
    const { tools } = await responses.request('hi', { tools: [{ type: 'web_search' }, mine] });
    expect(namesOf(tools)).toEqual(['web_search', 'billing__refund_invoice', 'billing__list_invoices']);
    expect(tools[1]).toBe(mine);
    expect(leftOut).toEqual([{ tool: 'billing.refund_invoice', reason: expect.stringContaining('own tools') }]);
    const output = [
      functionCall('billing__refund_invoice', '{}'),
      functionCall('billing__list_invoices', '{}', 'call_2'),
    ];
    expect(await responses.answer({ output })).toEqual([
      { type: 'function_call_output', call_id: 'call_2', output: 'done' },
    ]);
    expect(source.calls.map(({ name }) => name)).toEqual(['list_invoices']);
  });

  it('refuses an own function that is named like a meta tool', async () => {
    const { toolbox } = await openToolbox({ sources: [billing()] });
    const mine: Tool = { type: 'function', name: 'tool_get', parameters: null, strict: null };
    await expect(openaiResponses(toolbox).request('hi', { tools: [mine] })).rejects.toMatchObject({
      code: 'INVALID_CONFIGURATION',
    });
  });

  it('sends no more than 128 tools and says which are left out', async () => {
    const many = new FakeSource(
      'many',
      Array.from({ length: 140 }, (_, n) => `tool_${n}`),
      { loading: 'always' },
    );
    const { toolbox } = await openToolbox({ sources: [many], options: { exposure: 'all' } });
    const leftOut: string[] = [];
    const responses = openaiResponses(toolbox, { onLeftOut: ({ tool }) => leftOut.push(tool) });
    const { tools } = await responses.request('hi', { tools: [{ type: 'web_search' }, { type: 'web_search' }] });
    expect(tools).toHaveLength(128);
    expect(leftOut).toHaveLength(14);
  });

  it('says in words that arguments are not JSON', async () => {
    const { toolbox } = await openToolbox({ sources: [billing()] });
    const [item] = await openaiResponses(toolbox).answer({ output: [functionCall('billing__list_invoices', '{"a":')] });
    expect(item).toMatchObject({ type: 'function_call_output', call_id: 'call_9' });
    expect(JSON.parse((item as { output: string }).output)).toMatchObject({ ok: false, code: 'INVALID_ARGUMENTS' });
  });

  describe('native', () => {
    it('loads what a search finds, in namespaces and deferred, and does not list it again', async () => {
      const { toolbox } = await openToolbox({ sources: [billing()] });
      const responses = openaiResponses(toolbox, { mode: 'native' });
      const before = await responses.request('hi');
      expect(namesOf(before.tools)).toEqual(['tool_search', 'tool_get']);
      expect(before.tools[0]).toMatchObject({ type: 'tool_search', execution: 'client' });

      const call = searchCall('refund an invoice');
      const answers = await responses.answer({ output: [call] });
      expect(answers).toEqual([
        {
          type: 'tool_search_output',
          execution: 'client',
          call_id: 'call_1',
          status: 'completed',
          tools: [
            {
              type: 'namespace',
              name: 'billing',
              description: 'Tools of billing.',
              tools: expect.arrayContaining([
                expect.objectContaining({
                  type: 'function',
                  name: 'billing__refund_invoice',
                  description: 'Refund an invoice.',
                  defer_loading: true,
                  strict: false,
                }),
              ]),
            },
          ],
        },
      ]);
      const conversation = [...before.input, asInput(call), ...answers];
      const after = await responses.request(conversation);
      expect(after.tools).toEqual(before.tools);
      expect(after.input).toEqual(conversation);
    });

    it('lists what was found again once the search has left the conversation, but not where the provider keeps it', async () => {
      const { toolbox } = await openToolbox({ sources: [billing()] });
      const responses = openaiResponses(toolbox, { mode: 'native' });
      await responses.request('hi');
      await responses.answer({ output: [searchCall('refund an invoice')] });
      expect(namesOf((await responses.request('go on')).tools)).toContain('billing__refund_invoice');
      const kept = await responses.request('go on', { previous_response_id: 'resp_1' });
      expect(namesOf(kept.tools)).toEqual(['tool_search', 'tool_get']);
    });

    it('takes what is no longer visible out of what searches have loaded, and leaves the rest as it is', async () => {
      const crm = new FakeSource('crm', [{ name: 'find_customer', description: 'Find a customer.' }]);
      const { toolbox, killSwitches } = await openToolbox({ sources: [billing(), crm] });
      const responses = openaiResponses(toolbox, { mode: 'native' });
      await responses.request('hi');
      const calls = [searchCall('invoice'), searchCall('find a customer', 'call_2')];
      const items = [...calls.map(asInput), ...(await responses.answer({ output: calls }))];
      await killSwitches.engage({ actor: 'olga', reason: 'incident 7', kind: 'tool', value: 'billing.refund_invoice' });
      const { input } = await responses.request(items);
      expect(JSON.stringify(input[2])).not.toContain('refund');
      expect(JSON.stringify(input[2])).toContain('billing__list_invoices');
      expect([input[0], input[1], input[3]]).toEqual([items[0], items[1], items[3]]);
    });

    it('loads a tool anew that has changed since', async () => {
      const source = billing();
      const { toolbox, catalog } = await openToolbox({ sources: [source] });
      const responses = openaiResponses(toolbox, { mode: 'native' });
      const call = searchCall('invoice');
      const items = [asInput(call), ...(await responses.answer({ output: [call] }))];
      const kept = JSON.parse(JSON.stringify(items)) as ResponseInputItem[];
      expect((await responses.request(kept)).input).toEqual(kept);
      const inputSchema = { type: 'object', properties: { all: { type: 'boolean' } } };
      source.setTools([
        { ...INVOICES[0]!, inputSchema },
        { ...INVOICES[1]!, description: 'List some.' },
      ]);
      await catalog.refresh();
      const { input, tools } = await responses.request(kept);
      expect(input[1]).toMatchObject({ type: 'tool_search_output', tools: [] });
      expect(tools).toContainEqual(
        expect.objectContaining({ name: 'billing__refund_invoice', parameters: inputSchema }),
      );
      expect(tools).toContainEqual(
        expect.objectContaining({ name: 'billing__list_invoices', description: 'List some.' }),
      );
    });

    it('removes searches, and reasoning that led to nothing but them, if the conversation continues in another mode', async () => {
      const { toolbox } = await openToolbox({ sources: [billing()] });
      const call = searchCall('refund an invoice');
      const answers = await openaiResponses(toolbox, { mode: 'native' }).answer({ output: [call] });
      const thought = (id: string): ResponseInputItem => ({ type: 'reasoning', id, summary: [] });
      const called = asInput(functionCall('billing__list_invoices', '{}'));
      const output: ResponseInputItem = { type: 'function_call_output', call_id: 'call_9', output: 'done' };
      const user: ResponseInputItem = { role: 'user', content: 'hi' };
      const before = [user, thought('rs_1'), asInput(call), ...answers, thought('rs_2'), called, output];
      const { input, tools } = await openaiResponses(toolbox, { mode: 'deferred' }).request(before);
      expect(input).toEqual([user, thought('rs_2'), called, output]);
      expect(namesOf(tools).slice(0, 3)).toEqual(['tool_search', 'tool_get', 'billing__refund_invoice']);
    });

    it('says what the instructions call the search, where it has another name', async () => {
      const options = { exposure: { mode: 'deferred', metaTools: { search: 'find_tools' } } } as const;
      const { toolbox } = await openToolbox({ sources: [billing()], options });
      const { tools, instructions } = await openaiResponses(toolbox, { mode: 'native' }).request('hi');
      expect(instructions).toContain('find_tools');
      expect(tools.map(({ type }) => type)).toEqual(['tool_search', 'function']);
      expect(tools[0]).toMatchObject({ description: expect.stringContaining('find_tools') });
    });

    it('gives the reason of a failed search after the outputs', async () => {
      const { toolbox } = await openToolbox({ sources: [billing()] });
      const responses = openaiResponses(toolbox, { mode: 'native' });
      const output = [searchCall('zebra crossing'), searchCall(undefined, 'call_2'), searchCall('invoice', 'call_3')];
      const items = await responses.answer({ output });
      expect(items.map(({ type }) => type)).toEqual([
        'tool_search_output',
        'tool_search_output',
        'tool_search_output',
        'message',
        'message',
      ]);
      expect(items.slice(0, 2)).toMatchObject([{ tools: [] }, { tools: [] }]);
      const [none, faulty] = items.slice(3).map((item) => JSON.parse((item as { content: string }).content));
      expect(none.tool_search).toMatchObject({ verdict: 'none', unmatched: ['zebra', 'crossing'] });
      expect(faulty.tool_search).toMatchObject({ ok: false, code: 'INVALID_ARGUMENTS' });
    });

    it.each([['tool_get'], ['read_it']])('names the tool that reads a tool it has not loaded: %s', async (get) => {
      const options = { search: { offerTokens: 1 }, exposure: { metaTools: { get } } };
      const { toolbox } = await openToolbox({ sources: [billing()], options });
      const responses = openaiResponses(toolbox, { mode: 'native' });
      await responses.request('hi');
      const [, message] = await responses.answer({ output: [searchCall('invoice')] });
      expect(JSON.stringify(message)).toContain(`Read a tool that is not loaded with ${get} before you call it.`);
    });

    it('loads by searching where tools are activated by loading them, as far as there is room', async () => {
      const options = { exposure: 'deferred', activation: { activateOn: 'load', maxTools: 1 } } as const;
      const { toolbox, eventsOf } = await openToolbox({ sources: [billing()], options });
      const responses = openaiResponses(toolbox, { mode: 'native' });
      const [output] = await responses.answer({ output: [searchCall('refund an invoice')] });
      expect(JSON.stringify(output)).toContain('billing__refund_invoice');
      expect(eventsOf('tool.activated').map(({ tool }) => tool)).toEqual(['billing.refund_invoice']);
    });
  });

  describe('run', () => {
    type Create = Parameters<ReturnType<typeof openaiResponses>['run']>[0]['responses']['create'];
    const client = (...outputs: ResponseOutputItem[][]) => {
      const sent: Parameters<Create>[] = [];
      const create: Create = async (...args) => {
        sent.push(structuredClone([args[0]]) as never);
        return { output: outputs[sent.length - 1] ?? [], output_text: 'done' } as unknown as Response;
      };
      return { sent, responses: { create } };
    };

    it('stops after maxSteps', async () => {
      const { toolbox } = await openToolbox({ sources: [billing()] });
      const forever = Array.from({ length: 5 }, (_, n) => [functionCall('billing__list_invoices', '{}', `call_${n}`)]);
      const endless = client(...forever);
      const run = await openaiResponses(toolbox).run(endless, { model: 'm', input: 'hi' }, { maxSteps: 2 });
      expect([run.isComplete, endless.sent.length, run.input.length]).toEqual([false, 2, 5]);
    });

    it('refuses a run without an end', async () => {
      const { toolbox } = await openToolbox({ sources: [billing()] });
      for (const maxSteps of [0, NaN]) {
        const running = openaiResponses(toolbox).run(client(), { model: 'm', input: 'hi' }, { maxSteps });
        await expect(running).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
      }
    });

    it('remembers receipts where the provider keeps the conversation', async () => {
      const options = { exposure: 'deferred', activation: { storage: 'messages' } } as const;
      const { toolbox } = await openToolbox({ sources: [billing()], options });
      const calls = ['billing__list_invoices', 'billing__refund_invoice', 'tool_search'];
      const kept = client(...calls.map((name, n) => [functionCall(name, '{"query":"zebra"}', `call_${n}`)]));
      await openaiResponses(toolbox).run(kept, { model: 'm', input: 'hi', conversation: 'conv_1' });
      const names = kept.sent.map(([{ tools }]) => namesOf(tools ?? []).filter((name) => name.includes('__')));
      const [list, refund] = calls;
      expect(names).toEqual([[], [list], [list, refund], [list, refund]]);
    });

    it('hands over where the caller’s own function is called', async () => {
      const { toolbox } = await openToolbox({ sources: [billing()] });
      const own: Tool = { type: 'function', name: 'ask_user', parameters: null, strict: null };
      const asking = client([functionCall('ask_user', '{}'), functionCall('billing__list_invoices', '{}', 'call_2')]);
      const run = await openaiResponses(toolbox).run(asking, { model: 'm', input: 'hi', tools: [own] });
      expect(run.isComplete).toBe(false);
      expect(run.input.map((item) => 'call_id' in item && item.call_id)).toEqual([false, 'call_9', 'call_2', 'call_2']);
    });

    it('sends a conversation that the provider keeps only what is new', async () => {
      const { toolbox } = await openToolbox({ sources: [billing()] });
      const kept = client([functionCall('billing__list_invoices', '{}')]);
      const run = await openaiResponses(toolbox).run(kept, { model: 'm', input: 'hi', conversation: 'conv_1' });
      expect(kept.sent.map(([{ input }]) => input)).toEqual([
        [{ type: 'message', role: 'user', content: 'hi' }],
        [{ type: 'function_call_output', call_id: 'call_9', output: 'done' }],
      ]);
      expect([run.isComplete, run.input.length]).toEqual([true, 3]);
    });

    it('gives running tools up with its signal', async () => {
      const aborter = new AbortController();
      const slow = new FakeSource('slow', [
        {
          name: 'wait',
          run: (_input, _context, { signal }) =>
            new Promise((_, reject) => {
              signal.addEventListener('abort', () => reject(new Error('aborted')));
              aborter.abort();
            }),
        },
      ]);
      const { toolbox } = await openToolbox({ sources: [slow] });
      const waiting = client([functionCall('slow__wait', '{}')]);
      const options = { signal: aborter.signal };
      await expect(openaiResponses(toolbox).run(waiting, { model: 'm', input: 'hi' }, options)).rejects.toThrow(
        /abort/i,
      );
      expect(waiting.sent).toHaveLength(1);
    });
  });
});

describe('functionOutput', () => {
  it('is text where everything is text', () => {
    expect(
      functionOutput({
        ok: true,
        content: [
          { type: 'text', text: 'a' },
          { type: 'resource_link', uri: 'x:y' },
        ],
      }),
    ).toBe('a\n\n[resource x:y]');
    expect(functionOutput({ ok: true, content: [], structured: { a: 1 } })).toBe('{"a":1}');
    expect(functionOutput({ ok: true, content: [] })).toBe('The tool ran and returned nothing.');
    expect(functionOutput({ ok: true, content: [{ type: 'text', text: 'a' }], truncated: true })).toContain('[cut');
  });

  it('gives images and PDFs as what they are, and names what the API does not read', () => {
    const pdf = { uri: 'file:///tmp/bill.pdf', mimeType: 'application/pdf', blob: 'JVBERi0=' };
    const content = [PNG, { ...PNG, mimeType: 'image/tiff' }, { type: 'resource' as const, resource: pdf }];
    expect(functionOutput({ ok: true, content })).toEqual([
      { type: 'input_image', detail: 'auto', image_url: 'data:image/png;base64,iVBORw0KGgo=' },
      { type: 'input_text', text: '[image image/tiff]' },
      { type: 'input_file', filename: 'bill.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' },
    ]);
  });

  it('is the coded refusal, with the content that the tool returned', () => {
    const refusal = { ok: false, code: 'TOOL_FAILED', message: 'It failed.' } as const;
    expect(functionOutput(refusal)).toBe('{"ok":false,"code":"TOOL_FAILED","message":"It failed."}');
    const said = functionOutput({ ...refusal, content: [{ type: 'text', text: 'no such invoice' }] });
    expect(JSON.parse(said as string)).toEqual({ ...refusal, content: 'no such invoice' });
  });
});
