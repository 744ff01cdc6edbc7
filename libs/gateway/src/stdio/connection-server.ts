import type { BaseContext, MessageExtraInfo, RequestId, ServerContext } from '@modelcontextprotocol/server';
import { type GatewayRequest, linkGatewayRequest } from '../gateway-request.js';
import { PlainServer } from '../plain-server.js';

/** Handlers find their caller by the web request of a message. Without HTTP, each message gets one of its own. */
const ADDRESS = 'stdio:message';

/**
 * The class of servers over a connection whose messages are no HTTP requests.
 *
 * @param open makes the request of each message, by its id
 */
export function connectionServer(open: (id: RequestId) => GatewayRequest): typeof PlainServer {
  return class ConnectionServer extends PlainServer {
    protected override buildContext(context: BaseContext, info?: MessageExtraInfo): ServerContext {
      const request = new Request(ADDRESS);
      linkGatewayRequest(request, open(context.mcpReq.id));
      return super.buildContext(context, { ...info, request });
    }
  };
}
