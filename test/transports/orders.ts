import { type CanActivate, type ExecutionContext, Injectable, type Type, UseGuards } from '@nestjs/common';
import { type DynamicModule, Module } from '@nestjs/common';
import {
  Tool,
  type ToolContext,
  type ToolDefinition,
  ToolSearchModule,
  type ToolSearchModuleOptions,
  type ToolVisibilityPolicy,
  VisibilityPolicy,
} from '@tool-search/core';

/** A typical guard of an application: it reads the request, never the arguments. */
@Injectable()
class NotBanned implements CanActivate {
  static readonly seen: unknown[] = [];

  canActivate(execution: ExecutionContext): boolean {
    const request = execution.switchToHttp().getRequest<object | undefined>();
    NotBanned.seen.push(request);
    return request === undefined || !('banned' in request);
  }
}

/** Requests passed to the guards of tools, oldest first. */
export const guardedRequests = NotBanned.seen;

@Injectable()
export class OrderTools {
  @UseGuards(NotBanned)
  @Tool({
    description: 'Refund an order.',
    tags: ['refund'],
    input: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
  })
  refund({ id }: { id: string }, { tenantId }: ToolContext) {
    return `${id} for ${tenantId}`;
  }
}

/** Tenant "free" sees no tools. */
@VisibilityPolicy()
class PaidOnly implements ToolVisibilityPolicy {
  filter(tools: readonly ToolDefinition[], { tenantId }: ToolContext) {
    return tenantId === 'free' ? [] : tools;
  }
}

/** Tenant "frugal" has one call an hour. */
const ONE_CALL = { id: 'frugal', match: { tenantId: 'frugal' }, rate: { calls: 1, windowMs: 3_600_000 } };

/** An application with `order.refund`, and additional parts for each transport. */
export function orderApp(
  context: ToolSearchModuleOptions['context'],
  more: { imports?: DynamicModule[]; controllers?: Type[]; providers?: Type[] } = {},
): Type {
  @Module({
    imports: [ToolSearchModule.forRoot({ context, limits: { rules: [ONE_CALL] } }), ...(more.imports ?? [])],
    controllers: more.controllers ?? [],
    providers: [OrderTools, PaidOnly, ...(more.providers ?? [])],
  })
  class OrderApp {}
  return OrderApp;
}
