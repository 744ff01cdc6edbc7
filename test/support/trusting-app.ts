import { Module } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import {
  type ToolEvent,
  type Toolbox,
  ToolCatalog,
  ToolEvents,
  type ToolResult,
  ToolSearchModule,
  ToolSearchService,
  type ToolSource,
} from '@tool-search/core';
import type { SourceStatus } from '@tool-search/core/internal';

/** An application with several sources, one of which misbehaves. */
export interface TrustingApp {
  readonly app: TestingModule;
  readonly catalog: ToolCatalog;
  readonly events: ToolEvent[];
  toolbox(user?: string): Toolbox;
  call(name: string, input?: object, onProgress?: () => void): Promise<ToolResult>;
  status(source: string): SourceStatus;
  /** Resolves when a source reaches a state; at once if it already has. */
  until(source: string, state: SourceStatus['state']): Promise<SourceStatus>;
  /** Calls the tools of the healthy source continuously until `work` is done. Fails if one of these calls fails. */
  meanwhile<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Boots an application with these sources. The healthy one is named `healthy` and has a tool `echo`. */
export async function startTrustingApp(sources: readonly ToolSource[]): Promise<TrustingApp> {
  @Module({
    imports: [
      ToolSearchModule.forRoot({
        context: () => ({ tenantId: 'acme' }),
        sources: [...sources],
        exposure: 'deferred',
        catalog: { bootWaitMs: 600_000 },
        tuning: { catalog: { retryMinMs: 20, retryMaxMs: 100, refreshEveryMs: 50 } },
      }),
    ],
  })
  class App {}
  const app = await Test.createTestingModule({ imports: [App] })
    .setLogger(false as never)
    .compile();
  const events: ToolEvent[] = [];
  app.get(ToolEvents).on('*', (event) => void events.push(event));
  await app.init();
  const catalog = app.get(ToolCatalog);
  const service = app.get(ToolSearchService);
  const toolbox = (userId = 'ada') => service.open({ tenantId: 'acme', userId });
  const status = (source: string) => catalog.sources().find((each) => each.source === source)!;

  const use = async () => {
    const ours = toolbox('meanwhile');
    const found = await ours.search({ query: 'healthy words back' });
    expect(found.tools.map(({ name }) => name)).toContain('healthy.echo');
    expect(await ours.call('healthy.echo', { words: 'still here' })).toMatchObject({
      ok: true,
      content: [{ text: 'still here' }],
    });
  };
  const until = async (source: string, state: SourceStatus['state']) => {
    while (status(source).state !== state) await nextEvent(app.get(ToolEvents));
    return status(source);
  };
  // A source with a short timeout may need several attempts on a busy machine.
  for (const { name } of sources) await until(name, 'ready');
  return {
    app,
    catalog,
    events,
    toolbox,
    status,
    call: (name, input = {}, onProgress = () => undefined) => toolbox().call(name, input, { onProgress }),
    until,
    meanwhile: async (work) => {
      let isOver = false;
      const working = work().finally(() => (isOver = true));
      const using = (async () => {
        do {
          await use();
          await new Promise((resolve) => setImmediate(resolve));
        } while (!isOver);
      })();
      const [result] = await Promise.all([working, using]);
      return result;
    },
    close: () => app.close(),
  };
}

function nextEvent(events: ToolEvents): Promise<void> {
  return new Promise((resolve) => {
    const stop = events.on('*', () => {
      stop();
      // The state is set just after the event.
      setImmediate(resolve);
    });
  });
}
