import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

/** A request of a source, with the credential that it was sent with. */
export interface SourceRequest {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly credential: string;
}

/** A result of the protocol; undefined leaves the request without an answer, a number is a status of HTTP. */
export type HostileAnswer = object | number | undefined;

const SOUND = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
const GREETING = {
  supportedVersions: ['2026-07-28'],
  capabilities: { tools: {}, resources: {} },
  serverInfo: { name: 'hostile', version: '1' },
};

/** An MCP server of 2026-07-28 that answers each request as an attack wants. */
export function hostileMcpServer(answer: (request: SourceRequest) => HostileAnswer): RequestListener {
  return (request, response) => void handled(request, response, answer);
}

async function handled(
  request: IncomingMessage,
  response: ServerResponse,
  answer: (request: SourceRequest) => HostileAnswer,
): Promise<void> {
  if (request.method !== 'POST') return void response.writeHead(405).end();
  const { id, method, params } = JSON.parse(await text(request)) as SourceRequest & { readonly id?: unknown };
  if (id === undefined) return void response.writeHead(202).end();
  const credential = (request.headers.authorization ?? '').replace('Bearer ', '');
  const result = method === 'server/discover' ? GREETING : answer({ method, params, credential });
  if (result === undefined) return;
  if (typeof result === 'number') return void response.writeHead(result).end();
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ jsonrpc: '2.0', id, result: { ...SOUND, ...result } }));
}

/** A list of tools without arguments. */
export function toolList(descriptions: Readonly<Record<string, string>>): object {
  const entries = Object.entries(descriptions);
  return {
    tools: entries.map(([name, description]) => ({ name, description, inputSchema: { type: 'object' } })),
  };
}
