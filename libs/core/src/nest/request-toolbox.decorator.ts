import { createParamDecorator, type ExecutionContext, Inject, Injectable, type PipeTransform } from '@nestjs/common';
import type { Toolbox } from '../toolbox/toolbox.js';
import { ToolSearchService } from './tool-search.service.js';

// Pipes run after guards, so request.user is there when the toolbox asks for its context.
@Injectable()
class ToolboxOfRequest implements PipeTransform<ExecutionContext, Toolbox> {
  constructor(@Inject(ToolSearchService) private readonly service: ToolSearchService) {}

  transform(execution: ExecutionContext): Toolbox {
    return this.service.forExecution(execution);
  }
}

const Execution = createParamDecorator((_: unknown, execution: ExecutionContext) => execution);

/**
 * The toolbox of this request, operation or message as a parameter of its handler; the class stays a singleton. For routes,
 * resolvers, gateways and microservices: Nest fills no parameters of jobs and cron tasks.
 */
export const RequestToolbox = (): ParameterDecorator => Execution(ToolboxOfRequest);
