import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { wireName } from '@tool-search/core/adapter';
import type { ToolAccess } from './token-task.js';

/**
 * Connects to a gateway as an MCP client of 2026-07-28. Its model reads the server's instructions, the listed tools, and of a result the text and, as
 * some clients pass it on too, the structured content.
 *
 * @param token bearer token of the caller
 */
export async function gatewayAccess(url: string, token = ''): Promise<Required<ToolAccess>> {
  const client = new Client(
    { name: 'tokens', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  const requestInit = { headers: { ...(token !== '' && { authorization: `Bearer ${token}` }) } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  return {
    shown: async () => {
      const { tools } = await client.listTools();
      return {
        definitions: tools.map(({ name, description = '', inputSchema }) => ({ name, description, inputSchema })),
        prompt: [client.getInstructions() ?? ''],
      };
    },
    ask: async (name, input) => textOf(await client.callTool({ name, arguments: input })),
    call: async (name, input) => !(await client.callTool({ name: wireName(name), arguments: input })).isError,
    close: () => client.close(),
  };
}

function textOf({ content, structuredContent }: CallToolResult): string {
  const texts = content.map((block) => (block.type === 'text' ? block.text : JSON.stringify(block)));
  return [...texts, ...(structuredContent === undefined ? [] : [JSON.stringify(structuredContent)])].join('\n');
}
