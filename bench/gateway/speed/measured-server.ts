import 'reflect-metadata';
import { once } from 'node:events';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { NestFactory } from '@nestjs/core';
import { gatewayModule } from './gateway.app.js';

// A server of the gateway's benchmark: `measured-server.js upstream`, `… proxy URL` or `… gateway URL`. It sends its URL
// to the parent process, and its memory after each message.

const MB = 1_048_576;

const ECHO = {
  name: 'echo',
  description: 'Says the words back.',
  inputSchema: { type: 'object' as const, properties: { words: { type: 'string' } } },
};

/** The tool of the benchmark, served by the SDK alone. */
function upstream(): Promise<string> {
  return served(() => {
    const server = new Server({ name: 'upstream', version: '1.0.0' }, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/list', () => ({ tools: [ECHO] }));
    server.setRequestHandler('tools/call', ({ params }) => ({
      content: [{ type: 'text', text: String(params.arguments?.['words']) }],
    }));
    return server;
  });
}

/** Passes every call on to the upstream server, with a server and a client of the SDK and nothing else. */
async function proxy(target: string): Promise<string> {
  const client = new Client({ name: 'proxy', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StreamableHTTPClientTransport(new URL(target)));
  return served(() => {
    const server = new Server({ name: 'proxy', version: '1.0.0' }, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/list', async () => client.listTools());
    server.setRequestHandler('tools/call', async ({ params: { name, arguments: args = {} } }) =>
      client.callTool({ name, arguments: args }),
    );
    return server;
  });
}

async function gateway(target: string): Promise<string> {
  const app = await NestFactory.create(gatewayModule(target), { logger: ['error', 'warn'] });
  // Longer than any client of the crowd waits between two requests: Node's five seconds close connections in use.
  Object.assign(app.getHttpServer() as object, { keepAliveTimeout: 120_000 });
  app.enableShutdownHooks();
  await app.init();
  const http = app.getHttpServer() as HttpServer;
  // A thousand clients connect at once, and Node lets 511 wait.
  await once(http.listen({ port: 0, host: '127.0.0.1', backlog: 2048 }), 'listening');
  return urlOf(http);
}

async function served(create: () => Server): Promise<string> {
  const http = createServer((request, response) => void handle(request, response));
  const handle = toNodeHandler(createMcpHandler(create));
  await once(http.listen(0, '127.0.0.1'), 'listening');
  return urlOf(http);
}

function urlOf(http: HttpServer): string {
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
}

async function main([role = '', target = '']: readonly string[]): Promise<void> {
  const url = await (role === 'upstream' ? upstream() : role === 'proxy' ? proxy(target) : gateway(target));
  process.on('message', () => {
    // Buffers are freed by a second collection, after their finalizers have run.
    globalThis.gc?.();
    setTimeout(() => {
      globalThis.gc?.();
      const { rss, heapUsed, external } = process.memoryUsage();
      process.send?.({ rssMb: rss / MB, usedMb: (heapUsed + external) / MB });
    }, 500);
  });
  process.send?.({ url });
}

void main(process.argv.slice(2));
