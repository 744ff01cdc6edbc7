import {
  All,
  Catch,
  createParamDecorator,
  type ArgumentsHost,
  type ExceptionFilter,
  type ExecutionContext,
  Inject,
  Logger,
  Param,
  SetMetadata,
  UseFilters,
  UseGuards,
} from '@nestjs/common';
import { BearerGuard } from './auth/bearer.guard.js';
import { refusalOfError } from './http/refusal-of-error.js';
import { sendResponse } from './http/send-response.js';
import { nodeExchange } from './http/web-request.js';
import { GATEWAY_ROUTE, MCP_ENDPOINT } from './tokens.js';
import { ToolGateway } from './tool-gateway.js';

const Execution = createParamDecorator((_: unknown, execution: ExecutionContext) => execution);

/** Answers what guards throw in the form that MCP clients read. */
@Catch()
export class GatewayErrorFilter implements ExceptionFilter {
  readonly #logger = new Logger('ToolGateway');

  async catch(error: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const { response } = nodeExchange(http.getRequest<object>(), http.getResponse<object>());
    await sendResponse(refusalOfError(error, this.#logger).response(), response, 10_000);
  }
}

/**
 * The MCP endpoint: `POST`, `GET` and `DELETE` of its path, of `all`, and of `p/:profile`. `ToolGatewayModule` registers
 * it under `path`; or extend it for a path, guards or a version of your own:
 *
 * ```ts
 * @Controller('mcp')
 * @UseGuards(AuthGuard)
 * export class McpController extends ToolGatewayController {}
 * ```
 */
@SetMetadata(MCP_ENDPOINT, true)
@UseFilters(GatewayErrorFilter)
@UseGuards(BearerGuard)
export abstract class ToolGatewayController {
  @Inject(ToolGateway) private readonly gateway!: ToolGateway;

  /** Three tools through which the caller finds and calls all others. */
  @All()
  serve(@Execution() execution: ExecutionContext): Promise<void> {
    return this.gateway.serve(execution, '');
  }

  /** Every tool of the caller in the list, for clients with a search of their own. */
  @All('all')
  @SetMetadata(GATEWAY_ROUTE, 'all')
  serveAll(@Execution() execution: ExecutionContext): Promise<void> {
    return this.gateway.serve(execution, 'all');
  }

  /** The tools of a profile. */
  @All('p/:profile')
  @SetMetadata(GATEWAY_ROUTE, 'p')
  serveProfile(@Execution() execution: ExecutionContext, @Param('profile') profile: string): Promise<void> {
    return this.gateway.serve(execution, `p/${profile}`);
  }
}
