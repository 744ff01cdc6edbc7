import { createParamDecorator, type ExecutionContext, Inject, Injectable, type PipeTransform } from '@nestjs/common';
import type { Toolbox } from '../toolbox/toolbox.js';
import { ToolSearchService } from './tool-search.service.js';

// Pipes run after guards, so request.user is there when the toolbox asks for its context.
@Injectable()
class ToolboxOfRequest implements PipeTransform<object, Toolbox> {
  constructor(@Inject(ToolSearchService) private readonly service: ToolSearchService) {}

  transform(request: object): Toolbox {
    return this.service.forRequest(request);
  }
}

const Request = createParamDecorator((_: unknown, execution: ExecutionContext) =>
  execution.switchToHttp().getRequest<object>(),
);

/** The request's toolbox as a parameter of a route; the controller stays a singleton. */
export const RequestToolbox = (): ParameterDecorator => Request(ToolboxOfRequest);
