import { Controller, Get, Inject, Injectable, Module, Scope } from '@nestjs/common';
import {
  RequestToolbox,
  Toolbox,
  type ToolContext,
  type ToolDeclaration,
  type ToolDefinition,
  ToolSearchModule,
  type ToolSource,
  type ToolVisibilityPolicy,
  VisibilityPolicy,
} from '@tool-search/core';
import { ToolSearchTypeOrmModule } from '@tool-search/typeorm';

/** Number of tools in the benchmark's catalog. */
export const CATALOG_TOOLS = 10_000;

/** Tools in a hundred namespaces. Every tenth has a tag that only some plans see. */
class WideSource implements ToolSource {
  readonly name = 'wide';
  readonly loading = 'deferred' as const;

  async load(): Promise<readonly ToolDeclaration[]> {
    return Array.from({ length: CATALOG_TOOLS }, (_, i) => ({
      name: `area${i % 100}.task_${i}`,
      namespace: '',
      description: `Does task ${i} of area ${i % 100}.`,
      tags: i % 10 === 0 ? ['business'] : ['standard'],
      sideEffects: i % 3 === 0 ? 'write' : 'read',
      ...(i < 5 && { loading: 'always' as const }),
    }));
  }

  readonly limits = { tools: CATALOG_TOOLS };

  async call() {
    return { content: [] };
  }

  async close(): Promise<void> {}
}

/** Hides a plan's tools from other plans. Two of three tenants share a cached result. */
@Injectable()
@VisibilityPolicy()
export class PlanPolicy implements ToolVisibilityPolicy {
  async filter(tools: readonly ToolDefinition[], { tenantId }: ToolContext): Promise<readonly ToolDefinition[]> {
    await new Promise((resolve) => setImmediate(resolve));
    return planOf(tenantId) === 'business' ? tools : tools.filter(({ tags }) => !tags.includes('business'));
  }

  cacheKey({ tenantId }: ToolContext): string {
    return planOf(tenantId);
  }
}

function planOf(tenantId: string): string {
  return tenantId.length % 3 === 0 ? 'business' : 'starter';
}

/** A request-scoped provider that does nothing: measures Nest's own cost of injecting it. */
@Injectable({ scope: Scope.REQUEST })
class Nothing {
  readonly length = 5;
}

@Controller('nothing')
class NothingController {
  constructor(@Inject(Nothing) private readonly nothing: Nothing) {}

  @Get()
  list(): { length: number } {
    return { length: this.nothing.length };
  }
}

@Controller('plain')
class PlainController {
  @Get()
  list(): { length: number } {
    return { length: 5 };
  }
}

/** The request's toolbox as a parameter: the controller stays a singleton. */
@Controller('toolbox')
class ToolboxController {
  @Get()
  async list(@RequestToolbox() toolbox: Toolbox): Promise<{ length: number }> {
    return { length: (await toolbox.list()).length };
  }
}

/** The same toolbox injected: Nest creates the controller and its dependencies for each request. */
@Controller('injected')
class InjectedToolboxController {
  constructor(@Inject(Toolbox) private readonly toolbox: Toolbox) {}

  @Get()
  async list(): Promise<{ length: number }> {
    return { length: (await this.toolbox.list()).length };
  }
}

interface BenchRequest {
  readonly headers: Readonly<Record<string, string>>;
}

@Module({
  imports: [
    ToolSearchModule.forRoot({
      context: ({ headers }: BenchRequest) => ({
        tenantId: headers['x-tenant'] ?? 'acme',
        userId: 'ada',
        sessionId: headers['x-session'] ?? 's1',
      }),
      sources: [new WideSource()],
      policy: { deny: ['area7.*', '*.task_9999'] },
    }),
    ToolSearchTypeOrmModule.forRoot({ database: ':memory:' }),
  ],
  controllers: [PlainController, NothingController, ToolboxController, InjectedToolboxController],
  providers: [PlanPolicy, Nothing],
})
export class RequestBenchModule {}
