import fc from 'fast-check';
import { FakeSource } from '../../testing/fakes/fake-source.js';
import { openToolbox } from '../../testing/open-toolbox.js';
import { type ToolEvent, ToolEvents } from '../../tool/tool-event.js';
import type { ToolSource } from '../../tool/tool-source.js';
import { type TracedWait, type TracedWork, ToolTracing } from '../../tool/tool-tracing.js';
import { withDefaults } from '../../options/options.js';
import { SourceQueue, sourceQueueSchema, type SourceQueueTuning } from './source-queue.js';

interface Job {
  readonly tenant: string;
  readonly number: number;
  readonly done: Promise<unknown>;
  /** Ends the work of the call. */
  end(error?: Error): void;
  cancel(): void;
}

type QueueOptions = SourceQueueTuning & { readonly perSource?: Record<string, number> };

/** A queue, and a record of which calls have begun and in which order. */
function queueOf(options: QueueOptions) {
  const happened: ToolEvent[] = [];
  const events = new ToolEvents();
  events.on('*', (event) => void happened.push(event));
  const queue = new SourceQueue(events, withDefaults(sourceQueueSchema, options));
  const begun: Job[] = [];
  const running = new Set<Job>();
  let mostRunning = 0;
  let numbers = 0;
  const add = (tenant: string, source: ToolSource = CRM, ms = 600_000): Job => {
    const abort = new AbortController();
    let end: Job['end'] = () => undefined;
    const work = new Promise<string>((resolve, reject) => {
      end = (error) => (error ? reject(error) : resolve('answer'));
    });
    const { signal } = abort;
    const call = { tool: 'crm.read', source, context: { tenantId: tenant }, signal, deadline: Date.now() + ms };
    const job = { tenant, number: numbers++, end: (error?: Error) => end(error), cancel: () => abort.abort() } as Job;
    const done = Promise.resolve().then(() =>
      queue.run(call, async () => {
        begun.push(job);
        running.add(job);
        mostRunning = Math.max(mostRunning, running.size);
        return work.finally(() => running.delete(job));
      }),
    );
    done.catch(() => undefined);
    return Object.assign(job, { done });
  };
  return { queue, add, begun, running, happened, mostRunning: () => mostRunning };
}

const CRM = new FakeSource('crm', ['read']);
/** Lets everything happen that waits for nothing but promises. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

it('a call that waits for a place does so in a span, and no other call', async () => {
  class Waits extends ToolTracing {
    readonly of: TracedWait[] = [];
    trace<T>(_: TracedWork, work: () => Promise<T>): Promise<T> {
      return work();
    }
    override waited<T>(wait: TracedWait, work: () => Promise<T>): Promise<T> {
      this.of.push(wait);
      return work();
    }
  }
  const waits = new Waits();
  const queue = new SourceQueue(new ToolEvents(), withDefaults(sourceQueueSchema, { perSource: { crm: 1 } }), waits);
  const { signal } = new AbortController();
  const call = { tool: 'crm.read', source: CRM, context: { tenantId: 'acme' }, signal, deadline: Date.now() + 600_000 };
  let end: () => void = () => undefined;
  const first = queue.run(call, () => new Promise<void>((resolve) => (end = resolve)));
  const second = queue.run(call, (waited) => waited);
  await settled();
  expect(waits.of).toEqual(['source']);
  end();
  await first;
  expect(await second).toBe(true);
});

describe('the places of a source', () => {
  it('are limited by name, then by the first glob that matches, and otherwise not', async () => {
    const { queue, add, running } = queueOf({ perSource: { 'c*': 1, crm: 2, '*m': 3 } });
    for (let i = 0; i < 5; i++) add('acme');
    for (let i = 0; i < 5; i++) add('acme', new FakeSource('cms'));
    for (let i = 0; i < 5; i++) add('acme', new FakeSource('pim'));
    for (let i = 0; i < 5; i++) add('acme', new FakeSource('shop'));
    await settled();
    expect(running.size).toBe(2 + 5 * 1 + 5 * 1 + 5);
    expect(queue.status().filter(({ source }) => source === 'crm')).toEqual([
      { source: 'crm', owner: '', limit: 2, running: 2, waiting: 3 },
    ]);
  });

  it('are those of one source: a tenant’s own source of the same name has places of its own', async () => {
    const { queue, add, running } = queueOf({ perSource: { '*': 1 } });
    const own = new FakeSource('crm', ['read'], { owner: 'acme' });
    add('acme');
    add('acme', own);
    await settled();
    expect(running.size).toBe(2);
    expect(queue.status().map(({ owner }) => owner)).toEqual(['', 'acme']);
  });

  it('go to tenants in turn: a thousand calls of one delay the first call of another by one', async () => {
    const { add, begun } = queueOf({ perSource: { crm: 1 }, maxWaiting: 2000, maxWaitingPerTenant: 1000 });
    const crowd = Array.from({ length: 1001 }, () => add('acme'));
    const other = add('globex');
    await settled();
    crowd[0]!.end();
    await settled();
    crowd[1]!.end();
    await settled();
    expect(begun).toEqual([crowd[0], crowd[1], other]);
  });

  it.each([
    ['ends with an answer', (job: Job) => job.end()],
    ['fails', (job: Job) => job.end(new Error('down'))],
  ])('are free when a call %s, and no state remains', async (_, end) => {
    const { queue, add, begun } = queueOf({ perSource: { crm: 1 } });
    const jobs = [add('acme'), add('acme'), add('globex')];
    for (const job of jobs) {
      await settled();
      expect(begun.at(-1)).toBe(job);
      end(job);
    }
    await settled();
    expect(queue.status()).toEqual([]);
  });

  it('are kept by a cancelled call while its source still works', async () => {
    const { add, begun } = queueOf({ perSource: { crm: 1 } });
    const [first, second] = [add('acme'), add('acme')];
    await settled();
    first.cancel();
    await settled();
    expect(begun).toEqual([first]);
    first.end();
    await settled();
    expect(begun).toEqual([first, second]);
  });

  it('are free at the deadline, even if the source never answers', async () => {
    const { queue, add, begun } = queueOf({ perSource: { crm: 1 } });
    const hanging = add('acme', CRM, 20);
    const second = add('acme');
    await new Promise<void>((resolve) => {
      const look = () => (begun.includes(second) ? resolve() : void setTimeout(look, 5));
      look();
    });
    expect(queue.status()).toMatchObject([{ running: 1, waiting: 0 }]);
    // An answer after that does not free another place.
    hanging.end();
    await settled();
    expect(queue.status()).toMatchObject([{ running: 1, waiting: 0 }]);
  });
});

describe('a waiting call', () => {
  it('leaves when its caller cancels, and never runs', async () => {
    const { queue, add, begun } = queueOf({ perSource: { crm: 1 } });
    const [first, second, third] = [add('acme'), add('acme'), add('globex')];
    await settled();
    second.cancel();
    await expect(second.done).rejects.toThrow('aborted');
    expect(queue.status()).toMatchObject([{ running: 1, waiting: 1 }]);
    first.end();
    await settled();
    third.end();
    await settled();
    expect(begun).toEqual([first, third]);
    expect(queue.status()).toEqual([]);
  });

  it('that was cancelled before is not queued', async () => {
    const { queue } = queueOf({ perSource: { crm: 1 } });
    const context = { tenantId: 'acme' };
    const deadline = Date.now() + 1000;
    const call = { tool: 'crm.read', source: CRM, context, signal: AbortSignal.abort(), deadline };
    await expect(queue.run(call, () => 'answer')).rejects.toThrow('aborted');
    expect(queue.status()).toEqual([]);
  });

  it('is refused with a code, an event and a time where its tenant or the source has no room', async () => {
    const { queue, add, happened } = queueOf({ perSource: { crm: 1 }, maxWaiting: 3, maxWaitingPerTenant: 2 });
    const jobs = ['acme', 'acme', 'acme', 'acme', 'globex', 'initech', 'globex'].map((tenant) => add(tenant));
    const outcomes = jobs.map(({ done }) => done.catch((error: { code: string }) => error.code));
    await settled();
    expect(queue.status()).toMatchObject([{ running: 1, waiting: 3 }]);
    await expect(jobs[3]!.done).rejects.toMatchObject({
      code: 'SOURCE_BUSY',
      hint: expect.stringContaining('Call it again in 3 s'),
      retryAfterSeconds: 3,
    });
    for (const job of jobs) {
      job.end();
      await settled();
    }
    // The third gave way to the sixth, whose tenant had none waiting; the seventh found no tenant with more than its own.
    const codes = await Promise.all(outcomes);
    expect(codes.map((code) => code === 'SOURCE_BUSY')).toEqual([false, false, true, true, false, false, true]);
    expect(happened).toEqual(
      [
        ['acme', 2],
        ['acme', 2],
        ['globex', 3],
      ].map(([tenantId, waiting]) => ({
        type: 'source.overloaded',
        at: expect.any(Number),
        tenantId,
        source: 'crm',
        tool: 'crm.read',
        waiting,
        retryAfterSeconds: Number(waiting) + 1,
      })),
    );
    expect(queue.status()).toEqual([]);
  });
});

describe('a full line', () => {
  it('keeps the waiting calls of a tenant with few, for any load of another', async () => {
    const { queue, add } = queueOf({ perSource: { crm: 1 }, maxWaiting: 10, maxWaitingPerTenant: 10 });
    const refused: string[] = [];
    const jobs = ['globex', ...Array<string>(20).fill('acme'), ...Array<string>(3).fill('globex')].map((tenant) => {
      const job = add(tenant);
      job.done.catch(() => refused.push(tenant));
      return job;
    });
    await settled();
    expect(queue.status()).toMatchObject([{ running: 1, waiting: 10 }]);
    expect(refused).toEqual(Array(13).fill('acme'));
    for (const job of jobs) {
      job.end();
      await settled();
    }
    expect(queue.status()).toEqual([]);
  });
});

describe('for any arrivals, ends, failures and cancellations', () => {
  const step = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({ do: fc.constant('add' as const), tenant: fc.constantFrom('a', 'b', 'c', 'd') }),
    },
    { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('end' as const, 'fail' as const), which: fc.nat(9) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('cancel' as const), which: fc.nat(30) }) },
  );

  it('the limit holds, tenants take turns, calls of a tenant keep their order, and no state remains', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 3 }), fc.array(step, { maxLength: 80 }), async (limit, steps) => {
        const { queue, add, begun, running, mostRunning } = queueOf({ perSource: { crm: limit } });
        const jobs: Job[] = [];
        const cancelled = new Set<Job>();
        const waiting = () => jobs.filter((job) => !begun.includes(job) && !cancelled.has(job));
        // Calls of other tenants that began since this tenant has waited for its next turn.
        const passed = new Map<string, Map<string, number>>();
        const observe = (before: number) => {
          for (const job of begun.slice(before)) {
            passed.delete(job.tenant);
            for (const counts of passed.values()) counts.set(job.tenant, (counts.get(job.tenant) ?? 0) + 1);
            for (const counts of passed.values()) for (const count of counts.values()) expect(count).toBe(1);
          }
          const tenants = new Set(waiting().map(({ tenant }) => tenant));
          for (const tenant of passed.keys()) if (!tenants.has(tenant)) passed.delete(tenant);
          for (const tenant of tenants) if (!passed.has(tenant)) passed.set(tenant, new Map());
        };
        const act = async (work: () => void) => {
          const before = begun.length;
          work();
          await settled();
          observe(before);
        };
        for (const each of steps) {
          if (each.do === 'add') await act(() => void jobs.push(add(each.tenant)));
          else if (each.do === 'cancel') {
            const job = waiting()[each.which];
            if (job) await act(() => (cancelled.add(job), job.cancel()));
          } else {
            const job = [...running][each.which % Math.max(1, running.size)];
            if (job) await act(() => job.end(each.do === 'fail' ? new Error('down') : undefined));
          }
          expect(queue.status().reduce((sum, line) => sum + line.running, 0)).toBe(running.size);
          expect(queue.status().reduce((sum, line) => sum + line.waiting, 0)).toBe(waiting().length);
          if (waiting().length > 0) expect(running.size).toBe(limit);
        }
        while (running.size > 0) await act(() => [...running][0]!.end());
        expect(mostRunning()).toBeLessThanOrEqual(limit);
        expect(begun.length + cancelled.size).toBe(jobs.length);
        for (const tenant of 'abcd') {
          const numbers = begun.filter((job) => job.tenant === tenant).map(({ number }) => number);
          expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
        }
        expect(queue.status()).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});

describe('a call that waits for its source', () => {
  async function opened({ perSource = {}, ...calls }: QueueOptions, timeoutMs?: number) {
    const ends: (() => void)[] = [];
    const run = () => new Promise<string>((resolve) => ends.push(() => resolve('done')));
    const source = new FakeSource('crm', [{ name: 'read', run, ...(timeoutMs && { timeoutMs }) }]);
    const options = { exposure: 'all', calls: { perSource }, tuning: { calls } } as const;
    const world = await openToolbox({ sources: [source], options });
    const happened: ToolEvent[] = [];
    world.events.on('source.overloaded', (event) => void happened.push(event));
    world.events.on('tool.called', (event) => void happened.push(event));
    const call = (signal?: AbortSignal) => world.toolbox.call('crm.read', {}, signal === undefined ? {} : { signal });
    return { ...world, call, ends, source, happened };
  }

  it('asks again after the wait: a tool that was turned off meanwhile never runs', async () => {
    const { call, ends, source, queue, killSwitches } = await opened({ perSource: { crm: 1 } });
    const first = call();
    const second = call();
    await settled();
    expect(queue.status()).toMatchObject([{ running: 1, waiting: 1 }]);
    await killSwitches.engage({ kind: 'tool', value: 'crm.read', actor: 'olga', reason: 'stop' });
    ends[0]!();
    expect(await first).toMatchObject({ ok: true });
    expect(await second).toMatchObject({ ok: false, code: 'TOOL_NOT_AVAILABLE' });
    expect(source.calls).toHaveLength(1);
    expect(queue.status()).toEqual([]);
  });

  it('ends a waiting call that is cancelled or times out as one that has not run', async () => {
    const { call, ends, queue, running, source } = await opened({ perSource: { crm: 1 } });
    const abort = new AbortController();
    const first = call();
    const second = call(abort.signal);
    const third = call();
    await settled();
    abort.abort();
    expect(await second).toMatchObject({
      code: 'TOOL_CANCELLED',
      hint: expect.stringContaining('Nothing has happened'),
    });
    running.giveUp(() => true);
    expect(await third).toMatchObject({
      code: 'TOOL_CANCELLED',
      hint: expect.stringContaining('Nothing has happened'),
    });
    ends[0]!();
    await first;
    await settled();
    expect(source.calls).toHaveLength(1);
    expect(queue.status()).toEqual([]);
  });

  it('counts the wait as time of the call', async () => {
    const { call, source, queue } = await opened({ perSource: { crm: 1 } }, 20);
    let end: () => void = () => undefined;
    const context = { tenantId: 'globex' };
    const { signal } = new AbortController();
    const busy = queue.run(
      { tool: 'crm.read', source, context, signal, deadline: Date.now() + 600_000 },
      () => new Promise<void>((resolve) => (end = resolve)),
    );
    expect(await call()).toMatchObject({
      code: 'TOOL_TIMEOUT',
      hint: expect.stringContaining('Nothing has happened'),
    });
    end();
    await busy;
    await settled();
    expect(source.calls).toHaveLength(0);
    expect(queue.status()).toEqual([]);
  });

  it('returns the refusal as a result with the time to wait', async () => {
    const { call, ends, happened } = await opened({ perSource: { crm: 1 }, maxWaiting: 0 });
    const first = call();
    await settled();
    expect(await call()).toEqual({
      ok: false,
      code: 'SOURCE_BUSY',
      message: 'Too many calls are waiting for the source of crm.read.',
      hint: expect.stringContaining('Call it again in 1 s'),
      retryAfterSeconds: 1,
    });
    ends[0]!();
    await first;
    expect(happened).toMatchObject([
      { type: 'source.overloaded' },
      { type: 'tool.called', outcome: 'SOURCE_BUSY' },
      { type: 'tool.called', outcome: 'ok' },
    ]);
  });
});
