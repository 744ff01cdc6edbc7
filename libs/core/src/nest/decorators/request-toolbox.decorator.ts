import {
  createParamDecorator,
  type ExecutionContext,
  Inject,
  Injectable,
  type PipeTransform,
  type Type,
} from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import type { Toolbox } from '../../toolbox/toolbox.js';
import { ToolSearchService } from '../module/tool-search.service.js';

// Pipes run after guards, so `request.user` is set when the toolbox resolves its context.
@Injectable()
class ToolboxOfRequest implements PipeTransform<ExecutionContext, Toolbox> {
  constructor(@Inject(ToolSearchService) private readonly service: ToolSearchService) {}

  transform(execution: ExecutionContext): Toolbox {
    return this.service.forExecution(execution);
  }
}

const Execution = createParamDecorator((_: unknown, execution: ExecutionContext) => execution);

/**
 * Injects the toolbox of the current request, operation or message as a handler parameter; the class stays a singleton.
 * For routes, resolvers, gateways and microservices. Nest fills no parameters of jobs and cron tasks.
 */
export const RequestToolbox = (): ParameterDecorator => Execution(ToolboxOfRequest);

/** Whether a handler has a `@RequestToolbox()` parameter, of any declared type. */
export function takesToolbox(type: Type, method: string): boolean {
  const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, type, method) ?? {}) as Record<
    string,
    { pipes?: unknown[] }
  >;
  return Object.values(parameters).some(({ pipes }) => pipes?.includes(ToolboxOfRequest));
}
