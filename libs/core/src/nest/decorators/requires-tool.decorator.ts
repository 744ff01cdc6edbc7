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
 * Applies a tool's access decision to an ordinary handler, or to all handlers of a class: a caller that may not call
 * the tool may not call the handler, and a kill switch for the tool also stops the handler. Decorators on class and
 * method add up. The guard that authenticates the caller must run first: as a global guard, or written below this
 * decorator (Nest runs decorators bottom up).
 *
 * A glob, a namespace or a tag requires at least one matching tool that the caller may call. Tools that need no
 * approval are checked first. If all of them need one, the first in the catalog's order is used.
 *
 * For routes, resolvers, gateways and microservices. Nest runs no guards around jobs and cron tasks: use
 * `toolbox.admit()`.
 *
 * @param required canonical name or alias, glob, `{ namespace }` or `{ tag }`; calls are refused with
 *   `TOOL_NOT_AVAILABLE` while the catalog has no such tool
 * @throws ToolSearchError `INVALID_CONFIGURATION` for a requirement that no tool can match
 */
export function RequiresTool(required: ToolRequirement): ClassDecorator & MethodDecorator {
  return applyDecorators(UseGuards(guardOf(toolMatcher(required))), UseFilters(TransportRefusalFilter));
}

const IS_GUARD = Symbol.for('@tool-search/core:requires-tool');

/** Whether a guard was created by `@RequiresTool()`. */
export function isToolGuard(guard: unknown): boolean {
  return typeof guard === 'function' && IS_GUARD in guard;
}

// One guard class per requirement: method metadata would replace class metadata, whereas guards add up.
function guardOf(tool: string | ToolMatcher): Type<CanActivate> {
  @Injectable()
  class ToolGuard implements CanActivate {
    static readonly [IS_GUARD] = true;

    constructor(@Inject(ToolSearchService) private readonly service: ToolSearchService) {
      if (typeof tool !== 'string') service.expectMatch(tool);
    }

    /** @throws ToolSearchError as a call of the tool does: `TOOL_NOT_AVAILABLE`, `APPROVAL_…`, `GATE_CLOSED` */
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
