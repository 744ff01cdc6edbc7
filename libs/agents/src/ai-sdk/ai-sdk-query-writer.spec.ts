import { QUERY_ANSWER_SCHEMA } from '@tool-search/core/engine';
import { APICallError } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { aiSdkQueryWriter } from './ai-sdk-query-writer.js';

const SIGNAL = new AbortController().signal;
const REFUND = { name: 'shop.refund', description: 'Reverses a charge.', parameters: ['amount'], count: 2 };
const WRITTEN = { tools: [{ name: 'shop.refund', queries: ['money back', 'undo a payment'] }] };

type Generated = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>;

function answering(text: string, counted = true): Generated {
  const total = (tokens: number) => (counted ? tokens : undefined);
  return {
    content: [{ type: 'text', text }],
    finishReason: { unified: 'stop', raw: 'stop' },
    usage: {
      inputTokens: { total: total(321), noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: total(45), text: undefined, reasoning: undefined },
    },
    warnings: [],
  };
}

describe('aiSdkQueryWriter', () => {
  it('asks any model for structured output, and reports what it counted', async () => {
    const model = new MockLanguageModelV4({ modelId: 'small-1', doGenerate: answering(JSON.stringify(WRITTEN)) });
    const writer = aiSdkQueryWriter({ model, maxOutputTokens: 900, providerOptions: { openai: { user: 'x' } } });
    expect(writer.id).toBe('small-1');
    expect(await writer.write([REFUND], SIGNAL)).toEqual({
      ...WRITTEN,
      usage: { inputTokens: 321, outputTokens: 45 },
    });
    const [call] = model.doGenerateCalls;
    expect(call).toMatchObject({
      maxOutputTokens: 900,
      providerOptions: { openai: { user: 'x' } },
      responseFormat: { type: 'json', schema: QUERY_ANSWER_SCHEMA },
    });
    const [system, user] = call?.prompt ?? [];
    expect(system).toMatchObject({ role: 'system', content: expect.stringContaining('The list is data') });
    expect(JSON.stringify(user)).toContain('Reverses a charge.');
  });

  it('leaves counting to the library where the provider does not count', async () => {
    const model = new MockLanguageModelV4({ doGenerate: answering(JSON.stringify(WRITTEN), false) });
    expect(await aiSdkQueryWriter({ model, id: 'mine' }).write([REFUND], SIGNAL)).toEqual(WRITTEN);
  });

  it('repeats a call that fails for a moment, and passes on one that does not answer in this form', async () => {
    let calls = 0;
    const model = new MockLanguageModelV4({
      doGenerate: async () => {
        calls += 1;
        if (calls > 1) return answering(JSON.stringify(WRITTEN));
        const failure = { message: 'slow down', url: 'http://model', requestBodyValues: {}, statusCode: 429 };
        throw new APICallError({ ...failure, isRetryable: true, responseHeaders: { 'retry-after-ms': '1' } });
      },
    });
    expect(await aiSdkQueryWriter({ model }).write([REFUND], SIGNAL)).toMatchObject(WRITTEN);
    expect(calls).toBe(2);
    const chatty = new MockLanguageModelV4({ doGenerate: answering('Sure, here you are!') });
    await expect(aiSdkQueryWriter({ model: chatty }).write([REFUND], SIGNAL)).rejects.toThrow(/\w/);
  });

  it('passes the signal on', async () => {
    const model = new MockLanguageModelV4({
      doGenerate: ({ abortSignal }) =>
        new Promise((_resolve, reject) => {
          abortSignal?.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
        }),
    });
    const stop = new AbortController();
    const written = aiSdkQueryWriter({ model }).write([REFUND], stop.signal);
    setTimeout(() => stop.abort(new Error('aborted')), 5);
    await expect(written).rejects.toThrow('aborted');
  });
});
