import type { MetaNames } from '@tool-search/core/internal';
import { FakeSource, openToolbox, type ToolboxOptions } from '@tool-search/core/testing';
import { APICallError, type LanguageModel } from 'ai';
import { AgentService } from './agent.service.js';
import { DemoModel } from './demo-model/demo-model.js';

describe('AgentService', () => {
  it('goes on with the answer to its own question in the next message of a session', async () => {
    const { agent, bank, open } = await world();

    const { answer } = await agent.reply('Refund invoice inv_1001', open({ sessionId: 's1' }));
    expect(answer).toBe('To do that with bank__refund_invoice I need amount. Please tell me.');
    await agent.reply('5 euros', open({ sessionId: 's1' }));

    expect(bank.calls.map(({ input }) => input)).toEqual([{ invoiceId: 'inv_1001', amount: 5 }]);
  });

  it.each<[ToolboxOptions['exposure'], Partial<MetaNames>]>([
    ['deferred', {}],
    ['bridge', {}],
    ['deferred', { search: 'find', get: 'read' }],
    ['bridge', { search: 'find', get: 'read', call: 'use' }],
  ])('reports its steps, shown as %s with %j', async (mode, metaTools) => {
    const { agent, open } = await world(new DemoModel(metaTools), { mode: mode as 'bridge', metaTools });

    const { steps } = await agent.reply('Refund invoice inv_1001 with 5 euros', open({ sessionId: 's1' }));

    const told = steps.map(({ type, tool, hits }) => [type, tool ?? hits]);
    // The list is asked for once before each answer of the model, and each time is counted as a step.
    expect(told).toEqual([
      ['list', undefined],
      ['search', ['bank.refund_invoice']],
      ['list', undefined],
      ['get', 'bank.refund_invoice'],
      ['list', undefined],
      ['activate', 'bank.refund_invoice'],
      ['call', 'bank.refund_invoice'],
      ['list', undefined],
      ['answer', undefined],
    ]);
  });

  it('does not take another request for an answer', async () => {
    const { agent, bank, open } = await world();

    await agent.reply('Refund invoice inv_1001', open({ sessionId: 's1' }));
    const { answer } = await agent.reply('What time is it?', open({ sessionId: 's1' }));

    expect(answer).toBe('I have no tool for this (get time).');
    expect(bank.calls).toEqual([]);
  });

  it.each([
    ['another session', { sessionId: 's2' }],
    ['another user', { sessionId: 's1', userId: 'homer' }],
    ['another tenant', { sessionId: 's1', tenantId: 'globex' }],
  ])('does not show a conversation to %s', async (_, other) => {
    const { agent, bank, open } = await world();

    await agent.reply('Refund invoice inv_1001', open({ sessionId: 's1' }));
    await agent.reply('5 euros', open(other));

    expect(bank.calls).toEqual([]);
  });

  it('keeps no conversation without a session', async () => {
    const { agent, bank, open } = await world();

    await agent.reply('Refund invoice inv_1001', open());
    await agent.reply('5 euros', open());

    expect(bank.calls).toEqual([]);
  });

  it('serves requests of one session at the same time, and the conversation goes on', async () => {
    const { agent, bank, open } = await world();
    const texts = Array.from({ length: 20 }, (_, index) => `Refund invoice inv_${index + 1} by ${index + 1} euros`);

    await Promise.all(texts.map((text) => agent.reply(text, open({ sessionId: 's1' }))));
    await agent.reply('Refund invoice inv_99', open({ sessionId: 's1' }));
    await agent.reply('7 euros', open({ sessionId: 's1' }));

    expect(bank.calls).toHaveLength(21);
    expect(bank.calls.at(-1)?.input).toEqual({ invoiceId: 'inv_99', amount: 7 });
  });

  it('serves a long conversation beyond what it remembers', async () => {
    const { agent, bank, open } = await world();
    for (let index = 1; index <= 30; index += 1) {
      await agent.reply(`Refund invoice inv_${index}`, open({ sessionId: 's1' }));
      await agent.reply('5 euros', open({ sessionId: 's1' }));
    }
    expect(bank.calls).toHaveLength(30);
  });

  it('says that the model cannot be reached, and keeps the conversation', async () => {
    let isDown = false;
    const demo = new DemoModel();
    const model: LanguageModel = Object.assign(new DemoModel(), {
      doGenerate: (request: Parameters<DemoModel['doGenerate']>[0]) =>
        isDown ? Promise.reject(unreachable()) : demo.doGenerate(request),
    });
    const { agent, bank, open } = await world(model);

    await agent.reply('Refund invoice inv_1001', open({ sessionId: 's1' }));
    isDown = true;
    await expect(agent.reply('5 euros', open({ sessionId: 's1' }))).rejects.toMatchObject({
      code: 'SOURCE_UNAVAILABLE',
      message: 'The model cannot be reached.',
      hint: expect.stringContaining('Try again'),
    });
    isDown = false;
    await agent.reply('6 euros', open({ sessionId: 's1' }));

    expect(bank.calls.map(({ input }) => input)).toEqual([{ invoiceId: 'inv_1001', amount: 6 }]);
  });
});

function unreachable(): APICallError {
  return new APICallError({
    message: 'Cannot connect to API',
    url: 'http://127.0.0.1:9',
    requestBodyValues: {},
    isRetryable: false,
  });
}

async function world(model: LanguageModel = new DemoModel(), exposure: ToolboxOptions['exposure'] = 'auto') {
  const bank = new FakeSource('bank', [
    {
      name: 'refund_invoice',
      description: 'Refund a paid invoice.',
      inputSchema: {
        type: 'object',
        properties: { invoiceId: { type: 'string' }, amount: { type: 'number' } },
        required: ['invoiceId', 'amount'],
      },
    },
  ]);
  const { open } = await openToolbox({ sources: [bank], options: { exposure } });
  return { agent: new AgentService(model), bank, open };
}
