import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

/** A small MCP server over HTTP, as somebody else may run it. `describe` changes what it says of a tool. */
export async function startTicketsServer() {
  let description = 'List the open tickets.';
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'tickets', version: '1.0.0' });
    const text = (words: string) => ({ content: [{ type: 'text' as const, text: words }] });
    server.registerTool('list', { description, annotations: { readOnlyHint: true } }, () => text('1: no heating'));
    const inputSchema = z.object({ id: z.string() });
    server.registerTool('close', { description: 'Close a ticket.', inputSchema }, ({ id }) => text(`${id} is closed`));
    server.registerTool('purge', { description: 'Delete all tickets.' }, () => text('all gone'));
    return server;
  });
  const handle = toNodeHandler(handler);
  const http = createServer((request, response) => void handle(request, response)).listen(0, '127.0.0.1');
  await once(http, 'listening');
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    describe: (words: string) => (description = words),
    stop: async () => {
      await handler.close();
      http.closeAllConnections();
      http.close();
    },
  };
}
