import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { type CallToolResult, createMcpHandler, Server } from '@modelcontextprotocol/server';
import { describeToolSource } from '@tool-search/core/testing';
import { McpSource } from './index.js';

const says = (words: string, isError = false): CallToolResult => ({
  content: [{ type: 'text', text: words }],
  isError,
});
const declared = (name: string) => ({ name, description: `Does ${name}.`, inputSchema: { type: 'object' as const } });

describeToolSource(
  'McpSource',
  async () => {
    const tools = [declared('echo'), declared('refuse')];
    const handler = createMcpHandler(() => {
      const server = new Server({ name: 'test', version: '1' }, { capabilities: { tools: { listChanged: true } } });
      server.setRequestHandler('tools/list', () => ({ tools }) as never);
      server.setRequestHandler('tools/call', ({ params: { name, arguments: input } }) =>
        name === 'echo' ? says(JSON.stringify(input)) : says('no', true),
      );
      return server;
    });
    const listener = toNodeHandler(handler);
    const http = createServer((request, response) => void listener(request, response)).listen(0, '127.0.0.1');
    await once(http, 'listening');
    return {
      source: new McpSource({ name: 'remote', url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp` }),
      works: { name: 'echo', input: { words: 'hello' } },
      fails: { name: 'refuse', input: {} },
      // The server cannot tell when a client has started to listen.
      change: async () => {
        tools.push(declared(`added_${tools.length}`));
        for (let n = 0; n < 5; n += 1) {
          handler.notify.toolsChanged();
          await setTimeout(20);
        }
      },
      close: async () => {
        http.closeAllConnections();
        if (http.listening) await new Promise((resolve) => http.close(resolve));
      },
    };
  },
  { watches: true },
);
