import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import type { createMcpHandler } from '@modelcontextprotocol/server';

/** Serves an MCP handler on a free port. `stop` closes it with its connections. */
export async function servedHandler(handler: ReturnType<typeof createMcpHandler>) {
  const handle = toNodeHandler(handler);
  const http = createServer((request, response) => void handle(request, response));
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    stop: async () => {
      await handler.close();
      http.closeAllConnections();
      http.close();
    },
  };
}
