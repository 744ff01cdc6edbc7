import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  Inject,
  Injectable,
  mixin,
  type Type,
  UseFilters,
  UseGuards,
} from '@nestjs/common';
import { TransportRefusal, TransportRefusalFilter } from '../request/error.filter.js';
import { type ToolMatcher, toolMatcher, type ToolRequirement } from './tool-requirement.js';
import { ToolSearchService } from '../module/tool-search.service.js';

/**
 * Puts an ordinary handler, or all handlers of a class, under the same decision as a tool: who may not call the tool may not
 * call the handler, and a kill switch for the tool stops it. Several add up, on the class and on the method. The guard that
 * says who is asking must run before: a global one, or below this one, as Nest runs decorators bottom up.
 *
 * A glob, a namespace or a tag asks for at least one matching tool that may be called. Those that need no approval are tried
 * first; where all need one, the first in the catalog's order stands for them.
 *
 * For routes, resolvers, gateways and microservices. Nest runs no guards around jobs and cron tasks: use `toolbox.admit()`.
 *
 * @param required canonical name or alias, glob, `{ namespace }` or `{ tag }`; while no such tool is in the catalog the answer
 *   is `TOOL_NOT_AVAILABLE`
 * @throws ToolSearchError `INVALID_CONFIGURATION` for what no tool could match
 */
export function RequiresTool(required: ToolRequirement): ClassDecorator & MethodDecorator {
  return applyDecorators(UseGuards(guardOf(toolMatcher(required))), UseFilters(TransportRefusalFilter));
}

const IS_GUARD = Symbol.for('@tool-search/core:requires-tool');

/** Whether a guard is one of `@RequiresTool()`. */
export function isToolGuard(guard: unknown): boolean {
  return typeof guard === 'function' && IS_GUARD in guard;
}

// A guard for each requirement: metadata of a method would replace that of its class, and guards only add up.
function guardOf(tool: string | ToolMatcher): Type<CanActivate> {
  @Injectable()
  class ToolGuard implements CanActivate {
    static readonly [IS_GUARD] = true;

    constructor(@Inject(ToolSearchService) private readonly service: ToolSearchService) {
      if (typeof tool !== 'string') service.expectMatch(tool);
    }

    /** @throws ToolSearchError as a call of the tool would be refused: `TOOL_NOT_AVAILABLE`, `APPROVAL_…`, `GATE_CLOSED` */
    async canActivate(execution: ExecutionContext): Promise<boolean> {
      try {
        const toolbox = this.service.forExecution(execution);
        await (typeof tool === 'string' ? toolbox.admit(tool) : toolbox.admitAny(tool.matches));
        return true;
      } catch (error) {
        throw TransportRefusal.of(error, execution.getType<string>());
      }
    }
  }
  return mixin(ToolGuard);
}
