import {
  type CanActivate,
  type ExecutionContext,
  Inject,
  Injectable,
  mixin,
  type Type,
  UseGuards,
} from '@nestjs/common';
import { isLegalName } from '../tool/tool-name.js';
import { ToolSearchError } from '../tool/tool-search.error.js';
import { ToolSearchService } from './tool-search.service.js';

/**
 * Puts an ordinary route, or all routes of a controller, under the same decision as a tool: who may not call the tool may
 * not call the route, and a kill switch for the tool stops the route. Several add up, on the controller and on the route.
 * The guard that says who is asking must run before: a global one, or below this one, as Nest runs decorators bottom up.
 *
 * @param tool canonical name or alias; while no such tool is in the catalog the route answers `TOOL_NOT_AVAILABLE`
 * @throws ToolSearchError `INVALID_CONFIGURATION` for what can be no tool's name
 */
export function RequiresTool(tool: string): ClassDecorator & MethodDecorator {
  if (!isLegalName(tool)) {
    throw new ToolSearchError('INVALID_CONFIGURATION', `@RequiresTool(${JSON.stringify(tool)}) names no tool.`, {
      hint: 'Give the canonical name of one tool, for example "billing.refund".',
    });
  }
  return UseGuards(guardOf(tool));
}

// A guard for each requirement: metadata of a route would replace that of its controller, and guards only add up.
function guardOf(tool: string): Type<CanActivate> {
  @Injectable()
  class ToolGuard implements CanActivate {
    constructor(@Inject(ToolSearchService) private readonly service: ToolSearchService) {}

    /** @throws ToolSearchError as a call of the tool would be refused: `TOOL_NOT_AVAILABLE`, `APPROVAL_…`, `GATE_CLOSED` */
    async canActivate(execution: ExecutionContext): Promise<boolean> {
      // Only an HTTP request says who is asking.
      if (execution.getType() !== 'http') return false;
      await this.service.forRequest(execution.switchToHttp().getRequest<object>()).admit(tool);
      return true;
    }
  }
  return mixin(ToolGuard);
}
