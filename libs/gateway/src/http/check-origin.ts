import type { IncomingMessage } from 'node:http';
import { validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server';
import type { GatewaySettings } from '../tool-gateway.options.js';
import { RpcRefusal } from './rpc-refusal.js';

/**
 * Refuses requests of web pages that are not allowed, and of hosts that are not this server (DNS rebinding).
 *
 * @throws RpcRefusal 403
 */
export function checkOrigin(
  { headers }: IncomingMessage,
  { allowedHosts, allowedOrigins }: Pick<GatewaySettings, 'allowedHosts' | 'allowedOrigins'>,
): void {
  if (allowedHosts && !validateHostHeader(headers.host, [...allowedHosts]).ok) {
    throw new RpcRefusal(403, -32600, 'This host is not served here.', 'FORBIDDEN', 'See allowedHosts of the gateway.');
  }
  if (!validateOriginHeader(headers.origin, [...allowedOrigins]).ok) {
    throw new RpcRefusal(
      403,
      -32600,
      'Pages of this origin may not send requests.',
      'FORBIDDEN',
      'See allowedOrigins of the gateway.',
    );
  }
}
