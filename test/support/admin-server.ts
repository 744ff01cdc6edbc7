import {
  type CanActivate,
  type DynamicModule,
  type ExecutionContext,
  Global,
  Injectable,
  Module,
} from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { ToolAdminModule } from '@tool-search/admin';
import { type ToolContext, ToolSearchModule } from '@tool-search/core';
import { ControlStore } from '@tool-search/core/stores';
import { FakeSource } from '@tool-search/core/testing';
import { MemoryControlStore } from '@tool-search/core/internal';
import { APPLICATION_OPTIONS, configure } from '../../src/application.js';

/** A control store that tests can take down while the application runs. */
export class FragileStore extends MemoryControlStore {
  /** Number of answers before it goes down. */
  answersLeft = Infinity;
  hangs = false;
  /** If true, only `instances` fails. */
  isBlind = false;

  override read(known?: number) {
    return this.#there(() => super.read(known));
  }

  override change(change: Parameters<ControlStore['change']>[0]) {
    return this.#there(() => super.change(change));
  }

  override find(...asked: Parameters<ControlStore['find']>) {
    return this.#there(() => super.find(...asked));
  }

  override list(...asked: Parameters<ControlStore['list']>) {
    return this.#there(() => super.list(...asked));
  }

  override audit(...asked: Parameters<ControlStore['audit']>) {
    return this.#there(() => super.audit(...asked));
  }

  override newestAudit(...asked: Parameters<ControlStore['newestAudit']>) {
    return this.#there(() => super.newestAudit(...asked));
  }

  override instances(withinMs: number) {
    return this.#there(() => (this.isBlind ? Promise.reject(new Error('gone')) : super.instances(withinMs)));
  }

  // A store with `watch` counts as shared by several instances.
  override async watch() {
    return async () => undefined;
  }

  async #there<T>(work: () => Promise<T>): Promise<T> {
    if (this.hangs) await new Promise(() => undefined);
    if (this.answersLeft === 0) throw new Error('connect ECONNREFUSED 10.0.0.7:5432 of SELECT * FROM control_record');
    this.answersLeft -= 1;
    return work();
  }
}

@Injectable()
class NamedGuard implements CanActivate {
  canActivate(execution: ExecutionContext): boolean {
    const request = execution.switchToHttp().getRequest<{ headers: Record<string, string>; user?: object }>();
    const [userId, role] = (request.headers['authorization'] ?? '').replace('Bearer ', '').split(':');
    request.user = { tenantId: 'ops', userId, admin: role === 'admin' };
    return true;
  }
}

const ROUTES = { path: 'admin/tools', guards: [NamedGuard] };
const LIMITS = { writesPerMinute: 100_000, readsPerMinute: 100_000 };

/** A small application with the reference server's parser, pipe and filter, and a store that can go down. */
export async function startAdminServer(): Promise<{ app: NestExpressApplication; url: string; store: FragileStore }> {
  const store = new FragileStore();

  @Global()
  @Module({ providers: [{ provide: ControlStore, useValue: store }], exports: [ControlStore] })
  class StoreModule {}

  const toolSearch: DynamicModule = ToolSearchModule.forRoot({
    context: ({ user }: { user: ToolContext }) => user,
    policy: { deny: ['billing.delete_*'] },
    sources: [new FakeSource('billing', ['refund', 'list', 'delete_all'])],
  });

  @Module({
    imports: [StoreModule, toolSearch, ToolAdminModule.forRoot({ ...ROUTES, ...LIMITS })],
  })
  class AdminApplication {}

  const module = await Test.createTestingModule({ imports: [AdminApplication] })
    .setLogger(false as never)
    .compile();
  const app = configure(
    module.createNestApplication<NestExpressApplication>({ ...APPLICATION_OPTIONS, logger: false }),
  );
  await app.listen(0, '127.0.0.1');
  return { app, url: await app.getUrl(), store };
}
