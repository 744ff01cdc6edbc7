import { runAsync } from '../pack-libraries.mjs';

/** Serves a tool through the installed gateway and calls it with the client of the MCP SDK that `@tool-search/mcp` uses. */
export async function tryGateway(app) {
  const said = await runAsync(process.execPath, ['--input-type=module', '-e', TRY], app);
  if (said.trim() !== 'tool_call, tool_get, tool_search: Hello Ada') throw new Error(`the gateway said: ${said}`);
}

const TRY = `
import 'reflect-metadata';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { NestFactory } from '@nestjs/core';
import { CodeSource, defineTool, ToolSearchModule } from '@tool-search/core';
import { ToolGatewayModule } from '@tool-search/gateway';
const greet = defineTool({ name: 'greet', description: 'Greets Ada.', loading: 'deferred', run: () => 'Hello Ada' });
const sources = [new CodeSource({ name: 'greeting', tools: [greet] })];
const imports = [
  ToolSearchModule.forRoot({ sources, context: () => ({ tenantId: 'acme' }) }),
  ToolGatewayModule.forRoot({ path: 'mcp', anonymous: true }),
];
const app = await NestFactory.create({ module: class Application {}, imports }, { logger: ['error'] });
await app.listen(0, '127.0.0.1');
const client = new Client({ name: 'check', version: '1.0.0' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
await client.connect(new StreamableHTTPClientTransport(new URL((await app.getUrl()) + '/mcp')));
const { tools } = await client.listTools();
const { content: [{ text }] } = await client.callTool({ name: 'tool_call', arguments: { name: 'greeting.greet' } });
console.log(tools.map(({ name }) => name).join(', ') + ': ' + text);
await client.close();
await app.close();
`;
