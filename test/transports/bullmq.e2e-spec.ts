import { randomUUID } from 'node:crypto';
import { BullModule, getQueueToken, Processor, WorkerHost } from '@nestjs/bullmq';
import { type INestApplicationContext, Inject, Module, Scope } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { RequiresTool, Toolbox, ToolSearchModule, ToolSearchService } from '@tool-search/core';
import { type Job, type Queue, QueueEvents } from 'bullmq';
import { describeOnRedis, REDIS } from './describe-on-redis.js';
import { guardedRequests, orderApp } from './orders.js';

interface Order {
  readonly tenant?: string;
  readonly id: string;
}

const OPENED = `opened-${randomUUID()}`;
const INJECTED = `injected-${randomUUID()}`;

@Processor(OPENED)
class OpeningProcessor extends WorkerHost {
  constructor(@Inject(ToolSearchService) private readonly toolSearch: ToolSearchService) {
    super();
  }

  async process({ data: { tenant = '', id } }: Job<Order>) {
    const toolbox = this.toolSearch.open({ tenantId: tenant });
    await toolbox.admit('order.refund');
    return toolbox.call('order.refund', { id });
  }
}

@Processor({ name: INJECTED, scope: Scope.REQUEST })
class InjectedProcessor extends WorkerHost {
  constructor(@Inject(Toolbox) private readonly toolbox: Toolbox) {
    super();
  }

  process({ data: { id } }: Job<Order>) {
    return this.toolbox.call('order.refund', { id });
  }
}

describeOnRedis('workers of BullMQ', () => {
  let app: INestApplicationContext;
  const events: QueueEvents[] = [];
  beforeAll(async () => {
    const App = orderApp(
      ({ data }: Job<Order>) => (data.tenant === undefined ? undefined : { tenantId: data.tenant }),
      {
        imports: [
          BullModule.forRoot({ connection: REDIS }),
          BullModule.registerQueue({ name: OPENED }, { name: INJECTED }),
        ],
        providers: [OpeningProcessor, InjectedProcessor],
      },
    );
    app = await Test.createTestingModule({ imports: [App] })
      .setLogger(false as never)
      .compile();
    await app.init();
  });
  afterAll(async () => {
    for (const name of [OPENED, INJECTED]) await app.get<Queue>(getQueueToken(name)).obliterate({ force: true });
    await Promise.all(events.map((each) => each.close()));
    await app.close();
  });

  async function work(queue: string, data: Order): Promise<unknown> {
    const finished = new QueueEvents(queue, { connection: REDIS });
    events.push(finished);
    await finished.waitUntilReady();
    const job = await app.get<Queue<Order>>(getQueueToken(queue)).add('refund', data);
    return job.waitUntilFinished(finished);
  }

  it('open a toolbox for the context of their job, and guards of tools find no request', async () => {
    for (const tenant of ['acme', 'globex']) {
      expect(await work(OPENED, { tenant, id: '7' })).toMatchObject({ content: [{ text: `7 for ${tenant}` }] });
      expect(guardedRequests.at(-1)).toBeUndefined();
    }
    await expect(work(OPENED, { tenant: 'free', id: '7' })).rejects.toThrow('not available');
  });

  it('get one by injection where they are request-scoped: the context option is given the job', async () => {
    for (const tenant of ['acme', 'globex']) {
      expect(await work(INJECTED, { tenant, id: '8' })).toMatchObject({ content: [{ text: `8 for ${tenant}` }] });
      expect(guardedRequests.at(-1)).toMatchObject({ data: { tenant, id: '8' } });
    }
    await expect(work(INJECTED, { id: '8' })).rejects.toThrow('does not say who is asking');
  });

  it('count their calls by a limit, in any queue', async () => {
    expect(await work(INJECTED, { tenant: 'frugal', id: '7' })).toMatchObject({ ok: true });
    expect(await work(INJECTED, { tenant: 'frugal', id: '7' })).toMatchObject({ code: 'LIMIT_REACHED' });
    expect(await work(OPENED, { tenant: 'frugal', id: '7' })).toMatchObject({ code: 'LIMIT_REACHED' });
  });

  it('may not be thought to be guarded by @RequiresTool(), which Nest would not run', async () => {
    @Processor(OPENED)
    class Guarded extends WorkerHost {
      @RequiresTool('order.refund')
      async process() {}
    }
    @Module({
      imports: [
        ToolSearchModule.forRoot({ context: () => ({ tenantId: 'acme' }) }),
        BullModule.forRoot({ connection: REDIS }),
        BullModule.registerQueue({ name: OPENED }),
      ],
      providers: [Guarded],
    })
    class App {}
    const module = await Test.createTestingModule({ imports: [App] })
      .setLogger(false as never)
      .compile();
    await expect(module.init()).rejects.toMatchObject({
      code: 'INVALID_CONFIGURATION',
      message: 'Guarded.process: Nest runs no guards here, so @RequiresTool() would let everybody in.',
      hint: expect.stringContaining('toolSearch.open(context).admit'),
    });
    await module.close();
  });
});
