import { type BaseContext, type MessageExtraInfo, Server, type ServerContext } from '@modelcontextprotocol/server';
import { type GatewayRequest, linkGatewayRequest } from '../gateway-request.js';

/** Handlers find their caller by the web request of a message. Without HTTP, each message gets one of its own. */
const ADDRESS = 'stdio:message';

/**
 * The class of servers over a connection whose messages are no HTTP requests.
 *
 * @param open makes the request of each message
 */
export function connectionServer(open: () => GatewayRequest): typeof Server {
  return class ConnectionServer extends Server {
    protected override buildContext(context: BaseContext, info?: MessageExtraInfo): ServerContext {
      const request = new Request(ADDRESS);
      linkGatewayRequest(request, open());
      return super.buildContext(context, { ...info, request });
    }
  };
}
