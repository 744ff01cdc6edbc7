import type { Toolbox, ToolContext } from '@tool-search/core';
import { MemoryActivationStore } from '@tool-search/core/internal';
import { FakeSource, openToolbox } from '@tool-search/core/testing';
import type { Reply } from './scripted-model.js';

const application = globalThis as { openToolbox?: (caller: ToolContext) => Toolbox };
const SEARCH: Reply = { call: 'tool_search', input: { query: 'close an issue' } };
const CLOSE: Reply = { call: 'github__close_issue' };

// Only the runner of workflows compiles them: check:compat installs it and sets this.
const isCompiled = process.env['TOOL_SEARCH_TEST_WORKFLOWS'] !== undefined;

if (!isCompiled) {
  // Where a skipped test counts as a failure, check:compat runs these.
  const place = process.env['TOOL_SEARCH_TEST_NO_SKIPS'] ? describe : describe.skip;
  place('WorkflowAgent of @ai-sdk/workflow: it needs the compiler of workflows, which check:compat installs', () => {
    it('is run by check:compat', () => expect(isCompiled).toBe(false));
  });
} else {
  describe('WorkflowAgent of @ai-sdk/workflow', () => {
    /** A run of the workflow, each step of which is in another process. The processes share the store of activations. */
    async function run(activateOn: 'call' | 'search', replies: readonly Reply[], deny: readonly string[] = []) {
      const { start } = await import('workflow/api');
      const { clerk } = await import('./clerk.js');
      const github = new FakeSource('github', [{ name: 'close_issue', run: () => 'closed' }, 'list_issues']);
      const store = new MemoryActivationStore();
      const options = { exposure: 'deferred', activation: { activateOn } } as const;
      const processes = await Promise.all(
        Array.from({ length: 12 }, () => openToolbox({ sources: [github], policy: { deny }, options, store })),
      );
      let steps = 0;
      application.openToolbox = (caller) => processes[steps++]!.open(caller);
      const caller = { tenantId: 'acme', userId: 'ada', runId: 'run-1' };
      const answers = await (await start(clerk, [caller, replies])).returnValue;
      await Promise.all(processes.map((each) => each.close()));
      return { answers, ran: github.calls.map(({ name }) => name) };
    }

    it('calls in another process what it found in the step before, where a search activates', async () => {
      const { answers, ran } = await run('search', [SEARCH, CLOSE, CLOSE, { say: 'done' }]);
      expect(answers.slice(1)).toEqual(['closed', 'closed']);
      expect(ran).toEqual(['close_issue', 'close_issue']);
    });

    it('has forgotten in another process what was only found, where a call activates', async () => {
      const { answers, ran } = await run('call', [SEARCH, CLOSE, { say: 'done' }]);
      expect(answers).toHaveLength(1);
      expect(ran).toEqual([]);
    });

    it('never lists a tool that is denied', async () => {
      const { answers, ran } = await run('search', [SEARCH, CLOSE], ['github.close_*']);
      expect(JSON.stringify(answers)).not.toContain('close_issue');
      expect(ran).toEqual([]);
    });
  });
}
