import { type CanActivate, type ExecutionContext, Injectable, Module } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { ToolAdminModule } from '@tool-search/admin';
import { type ToolContext, ToolSearchModule, ToolSearchService } from '@tool-search/core';
import { FakeSource, type FakeSourceTool } from '@tool-search/core/testing';
import { APPLICATION_OPTIONS, configure } from '../../src/application.js';
import { type Answer, type RequestOptions, send } from './reference-server.js';

/** An application with operators of several kinds. A bearer token is the JSON of the `admin` field of the context. */
export interface TenantOperatorApp {
  readonly app: NestExpressApplication;
  readonly service: ToolSearchService;
  /** Sends a request to the routes of operators. */
  readonly admin: (scope: ToolContext['admin'], path: string, options?: RequestOptions) => Promise<Answer>;
}

@Injectable()
class ScopeGuard implements CanActivate {
  canActivate(execution: ExecutionContext): boolean {
    const request = execution.switchToHttp().getRequest<{ headers: Record<string, string>; user?: object }>();
    const scope = decodeURIComponent((request.headers['authorization'] ?? '').replace('Bearer ', ''));
    request.user = { tenantId: 'house', userId: 'olga', admin: JSON.parse(scope) as unknown };
    return true;
  }
}

const SUSPICIOUS = { examples: [{ args: {}, description: 'Say\u202e nothing.' }] };

/** @param globex tools of a source that belongs to the tenant globex alone */
export async function startTenantOperatorApp(
  globex: readonly (FakeSourceTool | string)[] = [],
): Promise<TenantOperatorApp> {
  const own = (owner: string, tools: readonly (FakeSourceTool | string)[]) =>
    new FakeSource(`${owner}_own`, tools, { owner });

  @Module({
    imports: [
      ToolSearchModule.forRoot({
        context: ({ user }: { user: ToolContext }) => user,
        sources: [
          new FakeSource('billing', ['refund', 'list', 'delete_all']),
          own('acme', ['report', { name: 'odd', ...SUSPICIOUS }]),
          own('globex', globex),
        ],
        limits: { rules: [{ id: 'all-together', rate: { calls: 100_000, windowMs: 3_600_000 } }] },
        search: { gaps: { keepQueries: true } },
        ledger: { countAll: true },
        // Loaded before the first request: otherwise the time of its arrival would differ between two applications.
        tokenizer: 'o200k_base',
        // Operators load sources again just after the start.
        tuning: { catalog: { refreshEveryMs: 1 } },
      }),
      ToolAdminModule.forRoot({
        path: 'admin',
        guards: [ScopeGuard],
        writesPerMinute: 100_000,
        readsPerMinute: 100_000,
      }),
    ],
  })
  class Application {}

  const module = await Test.createTestingModule({ imports: [Application] })
    .setLogger(false as never)
    .compile();
  const app = configure(
    module.createNestApplication<NestExpressApplication>({ ...APPLICATION_OPTIONS, logger: false }),
  );
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  return {
    app,
    service: app.get(ToolSearchService),
    admin: (scope, path, options = {}) =>
      send(url, `/admin/${path}`, { token: encodeURIComponent(JSON.stringify(scope)), ...options }),
  };
}
