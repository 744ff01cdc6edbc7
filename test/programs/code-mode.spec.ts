import type { ToolCall } from '@tool-search/core';
import { FakeSource, openToolbox } from '@tool-search/core/testing';
import { MockLanguageModelV4 } from 'ai/test';
import { CODE_MODE_MISSING } from './code-mode-package.js';
import { describePrograms, programWorld, returned } from './program-suite.js';

type Reply = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>;

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

const load = async () => (await import('@ai-sdk/code-mode')).experimental_runCodeMode;

if (CODE_MODE_MISSING !== undefined) {
  // Where a skipped test counts as a failure, check:compat runs these.
  const place = process.env['TOOL_SEARCH_TEST_NO_SKIPS'] ? describe : describe.skip;
  place(`programs of @ai-sdk/code-mode: ${CODE_MODE_MISSING}`, () => {
    it('are run by check:compat', () => expect(process.env['TOOL_SEARCH_TEST_PROGRAMS']).toBeUndefined());
  });
} else {
  describePrograms('programs of @ai-sdk/code-mode', load);

  describe('the sandbox of @ai-sdk/code-mode', () => {
    it('ends a program that never ends, and the toolbox goes on', async () => {
      const run = await load();
      const { program, toolbox, close } = await programWorld(run, { programs: { limits: { timeoutMs: 500 } } });
      for (const endless of ['while (true);', 'await new Promise(() => {});']) {
        expect(await program(endless)).toMatchObject({ ok: false });
      }
      expect(await program('while (true);')).toMatchObject({ code: 'TOOL_TIMEOUT' });
      expect(await toolbox.call('order.get', { id: 1 })).toMatchObject({ ok: true });
      const next = await programWorld(run);
      expect(returned(await next.program('return (await tools.order__get({ id: 1 })).id;'))).toBe(1);
      await Promise.all([close(), next.close()]);
    });

    it('cancels the call that runs when the program is ended', async () => {
      const stop = new AbortController();
      const stopped: unknown[] = [];
      const get = (_: unknown, __: unknown, { signal }: ToolCall) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(stopped.push('get') && new Error('aborted')), { once: true });
          stop.abort();
        });
      const { program, close } = await programWorld(await load(), { runs: { get: get as () => unknown } });
      expect(await program('await tools.order__get({});', stop.signal)).toMatchObject({ code: 'TOOL_CANCELLED' });
      expect(stopped).toEqual(['get']);
      await close();
    });

    it('ends with the signal of the run', async () => {
      const { program, close } = await programWorld(await load());
      const stop = new AbortController();
      setTimeout(() => stop.abort(), 100);
      expect(await program('while (true);', stop.signal)).toMatchObject({ code: 'TOOL_CANCELLED' });
      await close();
    });

    it('bounds calls, memory, the program and what it returns', async () => {
      const limits = { maxBridgeRequests: 3, maxSourceBytes: 500, memoryLimitBytes: 8 << 20 };
      const { program, ran, close } = await programWorld(await load(), { programs: { limits } });
      const failures = [
        await program('for (;;) await tools.order__get({});'),
        await program("const all = []; for (;;) all.push('x'.repeat(1e6) + all.length);"),
        await program(`return 1; // ${'x'.repeat(500)}`),
        await program("return 'x'.repeat(20_000);"),
        await program('return 1 +;'),
      ];
      expect(failures).toMatchObject(failures.map(() => ({ ok: false, code: 'TOOL_FAILED' })));
      expect(ran()).toHaveLength(3);
      await close();
    });

    it('has no way out', async () => {
      const { program, close } = await programWorld(await load());
      const js = 'return [typeof process, typeof require, typeof fetch];';
      expect(returned(await program(js))).toEqual(['undefined', 'undefined', 'undefined']);
      expect(await program("return import('node:fs');")).toMatchObject({ ok: false });
      await close();
    });
  });

  describe('a model with programs', () => {
    it('finds tools, calls them in a program, and reads what the program returns', async () => {
      const { withPrograms } = await import('./with-programs.js');
      const reports = new FakeSource('reports', [
        { name: 'list', description: 'List reports.', sideEffects: 'read', run: () => ({ ids: [1, 2, 3] }) },
        {
          name: 'render',
          description: 'Render a report.',
          sideEffects: 'external',
          run: ({ id }) => `page ${String(id)}`,
        },
      ]);
      const { toolbox, close } = await openToolbox({ sources: [reports] });
      const js = `const { ids } = await tools.reports__list({});
        return Promise.all(ids.map((id) => tools.reports__render({ id })));`;
      const model = new MockLanguageModelV4({
        doGenerate: [call('tool_search', { query: 'render reports' }), call('run_program', { js }), say('Rendered.')],
      });
      const { text } = await withPrograms(toolbox, model, 'Render all reports.');
      expect(text).toBe('Rendered.');
      const [first, second, third] = model.doGenerateCalls;
      expect((first?.tools ?? []).map(({ name }) => name)).toEqual(
        expect.arrayContaining(['run_program', 'tool_search']),
      );
      expect((second?.tools ?? []).map(({ name }) => name)).toContain('reports__render');
      expect(JSON.stringify(third?.prompt.at(-1))).toContain(
        JSON.stringify(JSON.stringify(['page 1', 'page 2', 'page 3'])).slice(1, -1),
      );
      expect(reports.calls).toHaveLength(4);
      await close();
    });
  });
}

function call(toolName: string, input: unknown): Reply {
  const content = [{ type: 'tool-call' as const, toolCallId: toolName, toolName, input: JSON.stringify(input) }];
  return { content, finishReason: { unified: 'tool-calls', raw: undefined }, usage, warnings: [] };
}

function say(text: string): Reply {
  return { content: [{ type: 'text', text }], finishReason: { unified: 'stop', raw: undefined }, usage, warnings: [] };
}
