import { Body, Controller, HttpCode, Module, Param, Post } from '@nestjs/common';
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
import type { Request } from 'express';
import { numberOf, seesGroup, visibilityOf } from './tenant-tools.js';

/** Shows each tenant its own tools and its groups of shared tools, after an asynchronous lookup as in real policies. */
@VisibilityPolicy()
export class GroupPolicy implements ToolVisibilityPolicy {
  async filter(tools: readonly ToolDefinition[], { tenantId }: ToolContext): Promise<readonly ToolDefinition[]> {
    await new Promise((resolve) => setImmediate(resolve));
    return tools.filter((tool) => tool.owner !== '' || seesGroup(tenantId, Number(tool.extra?.['group'])));
  }

  // Half of the tenants are cached, under keys that several tenants share; the other half is evaluated for each
  // request.
  cacheKey({ tenantId }: ToolContext): string | undefined {
    return numberOf(tenantId) % 2 === 0 ? `groups of ${visibilityOf(tenantId)}` : undefined;
  }
}

/** A source whose tools return their owner, their caller and their arguments. */
export class EchoSource implements ToolSource {
  readonly loading = 'deferred' as const;

  constructor(
    readonly name: string,
    readonly owner: string,
    private readonly declarations: () => readonly ToolDeclaration[],
  ) {}

  async load(): Promise<readonly ToolDeclaration[]> {
    return this.declarations();
  }

  async call(name: string, input: unknown, { tenantId }: ToolContext) {
    await new Promise((resolve) => setImmediate(resolve));
    return { content: [{ type: 'text' as const, text: JSON.stringify({ tenantId, owner: this.owner, name, input }) }] };
  }

  async close(): Promise<void> {}
}

@Controller('tenant')
class TenantController {
  @Post(':operation')
  @HttpCode(200)
  async run(
    @RequestToolbox() toolbox: Toolbox,
    @Param('operation') operation: string,
    @Body() body: Record<string, unknown>,
  ) {
    if (operation === 'list') return toolbox.list();
    if (operation === 'search') return toolbox.search(body);
    if (operation === 'get')
      return toolbox.get(body['names'] as string[]).catch((error: { code?: string }) => ({ code: error.code }));
    if (operation === 'activate') return toolbox.activate(body['names'] as string[]);
    return toolbox.call(String(body['name']), body['arguments']);
  }
}

/** An application with tenant-aware tools only. The tenant comes from a header. */
export function isolationModule(database: string, sources: readonly ToolSource[]) {
  @Module({
    imports: [
      ToolSearchModule.forRoot({
        context: (request: Request) => ({
          tenantId: request.header('x-tenant') ?? '',
          sessionId: request.header('x-session') ?? 'none',
          runId: request.header('x-run') ?? 'none',
        }),
        sources,
        exposure: 'deferred',
        activation: { maxTools: 0 },
        // If the machine stalls for a moment, a late response would hide a tenant's own tools.
        visibility: { deadlineMs: 60_000 },
      }),
      ToolSearchTypeOrmModule.forRoot({ database }),
    ],
    controllers: [TenantController],
    providers: [GroupPolicy],
  })
  class IsolationModule {}
  return IsolationModule;
}
