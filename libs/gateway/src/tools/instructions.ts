import { Logger } from '@nestjs/common';
import { isToolSearchError } from '@tool-search/core';
import { failureOf } from '@tool-search/core/adapter';
import type { GatewayRequest } from '../gateway-request.js';
import { RpcRefusal } from '../http/rpc-refusal.js';
import { logFault } from '../protocol-error.js';
import { toolKinds } from './tool-kinds.js';

const logger = new Logger('ToolGateway');

/**
 * The server's instructions for models: the application's words, how to find tools, and what tools there are.
 *
 * @throws RpcRefusal with the code of the error, as other methods answer it
 */
export async function instructionsFor({ toolbox, endpoint }: GatewayRequest): Promise<string> {
  try {
    const { prompt, meta } = await toolbox.surface();
    const kinds = meta.length === 0 ? '' : toolKinds(await toolbox.visible()).full;
    return [endpoint.instructions ?? '', prompt.guidance ?? '', kinds]
      .filter((text) => text !== '')
      .join('\n\n')
      .slice(0, 2000);
  } catch (error) {
    if (!isToolSearchError(error)) logFault(error, logger);
    const { code, message, hint } = failureOf(error);
    throw new RpcRefusal(200, -32603, hint === undefined ? message : `${message} ${hint}`, code, hint);
  }
}
