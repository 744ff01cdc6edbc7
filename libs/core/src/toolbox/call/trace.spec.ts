import { MemoryControlStore } from '../../access/control/memory-control-store.js';
import type { CounterChange } from '../../access/limits/limit-store.js';
import { MemoryLimitStore } from '../../access/limits/memory-limit-store.js';
import { FakeSource } from '../../testing/fakes/fake-source.js';
import { openToolbox, type ToolboxSetup } from '../../testing/open-toolbox.js';
import { isToolSearchError } from '../../tool/tool-search.error.js';
import type { ToolCall } from '../../tool/tool-source.js';
import { type TracedOutcome, type TracedWait, type TracedWork, ToolTracing } from '../../tool/tool-tracing.js';
import { Toolbox } from '../toolbox.js';

/** Records the traced work in the order in which it ended. */
class RecordedTracing extends ToolTracing {
  readonly ended: (TracedWork & { readonly outcome: TracedOutcome })[] = [];

  async trace<T>(traced: TracedWork, work: () => Promise<T>, outcomeOf: (answer: T) => TracedOutcome): Promise<T> {
    try {
      const answer = await work();
      this.ended.push({ ...traced, outcome: outcomeOf(answer) });
      return answer;
    } catch (error) {
      this.ended.push({ ...traced, outcome: isToolSearchError(error) ? error.code : 'other' });
      throw error;
    }
  }

  readonly waits: TracedWait[] = [];
  readonly baggage = { value: 'tier=gold' };

  override waited<T>(wait: TracedWait, work: () => Promise<T>): Promise<T> {
    this.waits.push(wait);
    return work();
  }

  override handedOn() {
    return { traceparent: PARENT, baggage: this.baggage.value };
  }
}

const PARENT = '00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01';

async function traced(setup: ToolboxSetup = {}) {
  const files = new FakeSource('files', [{ name: 'read_file', aliases: ['files.cat'] }, { name: 'delete_file' }]);
  const opened = await openToolbox({ sources: [files], context: { tenantId: 'acme', sessionId: 's1' }, ...setup });
  const tracing = new RecordedTracing();
  const toolbox = new Toolbox({ ...opened, tracing }, () => ({ tenantId: 'acme', sessionId: 's1' }));
  return { ...opened, tracing, toolbox };
}

it('a call is recorded under its canonical name, with the id that its event has', async () => {
  const { toolbox, tracing, eventsOf } = await traced();
  expect(await toolbox.call('files.cat', {})).toMatchObject({ ok: true });
  const callId = eventsOf('tool.called')[0]?.callId;
  expect(tracing.ended).toEqual([
    { operation: 'execute_tool', target: 'files.read_file', callId, sessionId: 's1', outcome: 'ok' },
  ]);
  await toolbox.call('files.cat', {}, { callId: 'toolu_1' });
  expect(tracing.ended[1]).toMatchObject({ callId: 'toolu_1' });
  expect(eventsOf('tool.called')[1]).toMatchObject({ callId: 'toolu_1' });
});

it('a search is recorded inside the call that asked for it, without its words', async () => {
  const { toolbox, tracing } = await traced();
  await toolbox.call('tool_search', { query: 'delete a file' });
  expect(tracing.ended).toEqual([
    { operation: 'retrieval', target: 'tool_search.catalog', sessionId: 's1', outcome: 'ok' },
    {
      operation: 'execute_tool',
      target: 'tool_search',
      callId: expect.any(String),
      sessionId: 's1',
      outcome: 'ok',
    },
  ]);
});

it.each([
  ['a tool that is denied', 'files.delete_file', 'files.delete_file', 'TOOL_NOT_AVAILABLE'],
  ['a tool that is denied, by its wire name', 'files__delete_file', 'files.delete_file', 'TOOL_NOT_AVAILABLE'],
  ['a name that no tool has', 'files.none', '(unknown tool)', 'TOOL_NOT_AVAILABLE'],
  ['what is no name', 'my password is x', '(unknown tool)', 'TOOL_NOT_AVAILABLE'],
  ['what is no text', 7 as unknown as string, '(unknown tool)', 'TOOL_NOT_AVAILABLE'],
  ['a meta tool with faulty arguments', 'tool_get', 'tool_get', 'INVALID_ARGUMENTS'],
])('%s is recorded with its code', async (_, name, target, outcome) => {
  const { toolbox, tracing } = await traced({ policy: { deny: ['files.delete_*'] } });
  expect(await toolbox.call(name, 'nothing')).toMatchObject({ code: outcome });
  expect(tracing.ended).toEqual([expect.objectContaining({ target, outcome })]);
});

it("an invented name is not the name of a span, also while the operators' decisions are unknown", async () => {
  class Down extends MemoryControlStore {
    override async read(): Promise<never> {
      throw new Error('down');
    }
  }
  const { toolbox, tracing } = await traced({ controlStore: new Down() });
  for (const name of ['files.read_file', 'files.invented_1', 'files.invented_2', 'tool_load']) {
    expect(await toolbox.call(name, {})).toMatchObject({ code: 'GATE_CLOSED' });
  }
  const targets = tracing.ended.map(({ target }) => target);
  expect(targets).toEqual(['files.read_file', ...Array(3).fill('(unknown tool)')]);
});

describe('the trace of a call', () => {
  const calls: ToolCall[] = [];
  const crm = () =>
    new FakeSource('crm', [
      {
        name: 'read',
        sideEffects: 'read',
        run: (_, __, call) => (calls.push(call), { n: 1 }),
      },
    ]);
  beforeEach(() => void calls.splice(0));

  it('reaches its source, and is part of no key under which results are stored', async () => {
    const options = { resultCache: { tools: [{ match: ['crm.read'], ttlMs: 60_000 }] } };
    const { toolbox, tracing } = await traced({ sources: [crm()], options });
    await toolbox.call('crm.read', {});
    expect(calls).toMatchObject([{ trace: { traceparent: PARENT, baggage: 'tier=gold' } }]);
    tracing.baggage.value = 'tier=silver';
    expect(await toolbox.call('crm.read', {})).toMatchObject({ ok: true, structured: { n: 1 } });
    expect(calls).toHaveLength(1);
  });

  it('has a wait for limits that are counted elsewhere, and none for those of this process', async () => {
    class Remote extends MemoryLimitStore {
      override update<T>(keys: readonly string[], change: CounterChange<T>, tenantId?: string): T {
        return Promise.resolve(super.update(keys, change, tenantId)) as T;
      }
    }
    const rules = [{ id: 'few', match: { tool: 'crm.*' }, rate: { calls: 1, windowMs: 60_000 } }];
    const options = { exposure: 'deferred', limits: { rules } } as const;
    const near = await traced({ sources: [crm()], options });
    await near.toolbox.call('crm.read', {});
    expect(near.tracing.waits).toEqual([]);
    const far = await traced({ sources: [crm()], options, limitStore: new Remote() });
    await far.toolbox.call('crm.read', {});
    expect(await far.toolbox.call('crm.read', {})).toMatchObject({ code: 'LIMIT_REACHED' });
    expect(far.tracing.waits).toEqual(['limits', 'limits']);
  });

  it('is not there without a module that records', async () => {
    const { toolbox } = await openToolbox({ sources: [crm()] });
    await toolbox.call('crm.read', {});
    expect(calls).toHaveLength(1);
    expect(calls[0]).not.toHaveProperty('trace');
  });
});

it('without a module that records, calls are not wrapped', async () => {
  const { toolbox, tracing } = await openToolbox({ sources: [new FakeSource('files', ['read_file'])] });
  expect(tracing).toBeUndefined();
  expect(await toolbox.call('files.read_file', {})).toMatchObject({ ok: true });
});
