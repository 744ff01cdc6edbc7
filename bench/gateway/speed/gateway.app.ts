import { type CanActivate, type ExecutionContext, Injectable, Module } from '@nestjs/common';
import {
  type ToolContext,
  type ToolDeclaration,
  type ToolDefinition,
  ToolSearchModule,
  type ToolSource,
  type ToolVisibilityPolicy,
  VisibilityPolicy,
} from '@tool-search/core';
import { ToolGatewayModule } from '@tool-search/gateway';
import { McpSource } from '@tool-search/mcp';

/** Tools of the gateway in the benchmark, the upstream server's among them. */
export const GATEWAY_TOOLS = 10_000;
/** Each tenant sees the upstream's tool and every fiftieth of the others. */
export const GATEWAY_TENANTS = 50;

/** The tenant that may see a tool, by the number of the tool's area. */
export function tenantOfArea(area: number): number {
  return area % GATEWAY_TENANTS;
}

class AreaSource implements ToolSource {
  readonly name = 'areas';
  readonly loading = 'deferred' as const;
  readonly limits = { tools: GATEWAY_TOOLS };

  async load(): Promise<readonly ToolDeclaration[]> {
    return Array.from({ length: GATEWAY_TOOLS - 1 }, (_, i) => ({
      name: `area${i % 200}.task_${i}`,
      namespace: '',
      description: `Does task ${i} of area ${i % 200}.`,
      sideEffects: 'read',
    }));
  }

  async call(name: string) {
    return { content: [{ type: 'text' as const, text: `${name} done` }] };
  }

  async close(): Promise<void> {}
}

@Injectable()
@VisibilityPolicy()
class TenantAreas implements ToolVisibilityPolicy {
  filter(tools: readonly ToolDefinition[], { tenantId }: ToolContext): readonly ToolDefinition[] {
    return tools.filter(({ namespace }) => {
      const area = /^area(\d+)$/.exec(namespace)?.[1];
      return area === undefined || `tenant${tenantOfArea(Number(area))}` === tenantId;
    });
  }

  cacheKey({ tenantId }: ToolContext): string {
    return tenantId;
  }
}

interface SignedRequest {
  readonly headers: Readonly<Record<string, string>>;
  user?: ToolContext;
}

/** Reads `Bearer <tenant>.<user>`. */
@Injectable()
class TokenGuard implements CanActivate {
  canActivate(execution: ExecutionContext): boolean {
    const request = execution.switchToHttp().getRequest<SignedRequest>();
    const [, tenantId, userId] = /^Bearer (\w+)\.(\w+)$/.exec(request.headers['authorization'] ?? '') ?? [];
    if (tenantId === undefined || userId === undefined) return false;
    request.user = { tenantId, userId };
    return true;
  }
}

/** @param upstream the MCP server behind the gateway */
export function gatewayModule(upstream: string) {
  @Module({
    imports: [
      ToolSearchModule.forRoot({
        context: (request: SignedRequest) => request.user,
        sources: [new AreaSource(), new McpSource({ name: 'up', url: upstream, loading: 'always' })],
      }),
      // Clients that leave without a word are forgotten soon, so that the memory after them can be measured.
      ToolGatewayModule.forRoot({ path: 'mcp', guards: [TokenGuard], sessions: { idleMs: 45_000 } }),
    ],
    providers: [TokenGuard, TenantAreas],
  })
  class GatewayBenchModule {}
  return GatewayBenchModule;
}
