import { type Agent, type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { once } from 'node:events';

/** The two protocol eras that the gateway serves. */
export type Era = 'modern' | 'legacy';
export const ERAS: readonly Era[] = ['modern', 'legacy'];
export const MODERN_VERSION = '2026-07-28';
export const LEGACY_VERSION = '2025-11-25';

/** One HTTP request, as it goes over the wire. */
export interface WireRequest {
  /** @default POST */
  readonly method?: string;
  /** @default /mcp */
  readonly path?: string;
  /** @default acme.ann; `''` sends none */
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text and bytes are sent as they are, anything else as JSON. */
  readonly body?: unknown;
  /** Sends the body without its length. */
  readonly isChunked?: boolean;
  /** @default a connection of its own, so that no test depends on the connections of another */
  readonly agent?: Agent;
}

/** An answer that was read to its end. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  /** Messages of a JSON body or an event stream, in their order. */
  readonly messages: readonly any[];
  /** The last message: the answer to the request. */
  readonly message: any;
}

/** Parts of an answer to a call. */
interface CallMessage {
  readonly result: { readonly _meta?: Readonly<Record<string, string>> };
  readonly error?: { readonly code: number; readonly data?: { readonly code?: string } };
}

/** The code with which a call ended: our own, or the one of JSON-RPC. `ok` for a result without a code. */
export function codeOf({ result, error }: CallMessage): string {
  if (error) return error.data?.code ?? `JSON-RPC ${error.code}`;
  return result._meta?.['tool-search/code'] ?? 'ok';
}

/** An answer that is still being sent. */
export interface WireStream {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** Messages so far. */
  readonly messages: readonly any[];
  /** Resolves when so many messages have arrived. Rejects if the stream ends before. */
  arrived(count: number): Promise<readonly any[]>;
  /** Resolves when the server has ended the stream. */
  readonly ended: Promise<WireAnswer>;
  /** Ends the stream like a client that disconnects. */
  close(): void;
}

/** Sends a request and reads the whole answer. */
export async function send(url: string, request: WireRequest = {}): Promise<WireAnswer> {
  return (await open(url, request)).ended;
}

/**
 * The whole answer in one text: status, headers and body. Left out is what differs between any two answers: the time, the
 * id of a session, and what an adapter says of itself.
 */
export async function wholeAnswer(url: string, request: WireRequest = {}): Promise<string> {
  const { status, headers, text } = await send(url, request);
  const { date: _, 'x-powered-by': __, 'mcp-session-id': session, ...rest } = headers;
  const kept = { ...rest, ...(session !== undefined && { 'mcp-session-id': typeof session }) };
  const lines = Object.entries(kept).map(([name, value]) => `${name}: ${String(value)}`);
  return [status, ...lines.toSorted(), '', text].join('\n');
}

/** Sends a request and resolves when the headers of the answer have arrived. */
export async function open(url: string, request: WireRequest = {}): Promise<WireStream> {
  const { outgoing, response } = begin(url, request);
  return streamOf(outgoing, await response);
}

/** Sends a request. Its answer may never come, because the caller destroys it before. */
export function begin(
  url: string,
  { method = 'POST', path = '/mcp', token = 'acme.ann', headers, body, isChunked, agent }: WireRequest,
) {
  const raw = body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const outgoing = httpRequest(`${url}${path}`, {
    method,
    agent: agent ?? false,
    headers: {
      accept: 'application/json, text/event-stream',
      ...(raw !== undefined && { 'content-type': 'application/json' }),
      ...(raw !== undefined && !isChunked && { 'content-length': String(Buffer.byteLength(raw)) }),
      ...(token !== '' && { authorization: `Bearer ${token}` }),
      ...headers,
    },
  });
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve).on('error', reject);
  });
  response.catch(() => undefined);
  if (isChunked) outgoing.write(raw);
  outgoing.end(isChunked ? undefined : raw);
  return { outgoing, response };
}

function streamOf(outgoing: ClientRequest, response: IncomingMessage): WireStream {
  const messages: unknown[] = [];
  let text = '';
  let rest = '';
  const isStream = response.headers['content-type']?.startsWith('text/event-stream') ?? false;
  response.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    if (!isStream) return;
    const events = (rest + chunk).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      const data = event.split('\n').flatMap((line) => (line.startsWith('data: ') ? [line.slice(6)] : []));
      if (data.length > 0) messages.push(JSON.parse(data.join('\n')));
    }
    response.emit('messages');
  });
  response.on('error', () => undefined);
  const ended = new Promise((resolve) => response.once('close', resolve)).then((): WireAnswer => {
    if (!isStream && response.headers['content-type']?.includes('json') && text !== '') messages.push(JSON.parse(text));
    const { statusCode = 0, headers } = response;
    return { status: statusCode, headers, text, messages, message: messages.at(-1) };
  });
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    messages,
    ended,
    async arrived(count) {
      while (messages.length < count) {
        if (response.destroyed || response.complete) throw new Error(`ended after: ${text}`);
        await Promise.race([once(response, 'messages'), ended]);
      }
      return messages;
    },
    close: () => void outgoing.destroy(),
  };
}

let ids = 0;

/** A message of the modern era with its headers. */
export function modern(method: string, params: object = {}, capabilities: object = {}): WireRequest {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': MODERN_VERSION,
    'io.modelcontextprotocol/clientInfo': { name: 'wire', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    ...('_meta' in params && (params._meta as object)),
  };
  const given = params as { name?: string; uri?: string };
  const names: Readonly<Record<string, string | undefined>> = {
    'tools/call': given.name,
    'prompts/get': given.name,
    'resources/read': given.uri,
  };
  const named = names[method];
  const name: Record<string, string> = named === undefined ? {} : { 'mcp-name': named };
  return {
    headers: { 'mcp-protocol-version': MODERN_VERSION, 'mcp-method': method, ...name },
    body: { jsonrpc: '2.0', id: ++ids, method, params: { ...params, _meta: meta } },
  };
}

/** A message of a legacy session with its headers. */
export function legacy(method: string, params: object = {}, session?: string): WireRequest {
  return {
    headers: { 'mcp-protocol-version': LEGACY_VERSION, ...(session !== undefined && { 'mcp-session-id': session }) },
    body: { jsonrpc: '2.0', ...(!method.startsWith('notifications/') && { id: ++ids }), method, params },
  };
}

/** The greeting with which a legacy session begins. */
export function initialize(version = LEGACY_VERSION, capabilities: object = {}): WireRequest {
  const clientInfo = { name: 'wire', version: '1' };
  return { body: legacy('initialize', { protocolVersion: version, capabilities, clientInfo }).body };
}

/** A caller of one era, who sends raw requests. */
export class WireCaller {
  private constructor(
    readonly url: string,
    readonly era: Era,
    /** Of the legacy session. */
    readonly session: string | undefined,
    private readonly common: Pick<WireRequest, 'token' | 'path'>,
    private readonly capabilities: object,
  ) {}

  /** A legacy caller begins a session. @param capabilities which it declares then, or in each of its messages */
  static async of(
    url: string,
    era: Era,
    common: Pick<WireRequest, 'token' | 'path'> = {},
    capabilities: object = {},
  ): Promise<WireCaller> {
    if (era === 'modern') return new WireCaller(url, era, undefined, common, capabilities);
    const { status, headers, text } = await send(url, { ...initialize(LEGACY_VERSION, capabilities), ...common });
    const session = headers['mcp-session-id'];
    if (status !== 200 || typeof session !== 'string') throw new Error(`no session: ${status} ${text}`);
    await send(url, { ...legacy('notifications/initialized', {}, session), ...common });
    return new WireCaller(url, era, session, common, capabilities);
  }

  request(method: string, params: object = {}): WireRequest {
    const message =
      this.era === 'modern' ? modern(method, params, this.capabilities) : legacy(method, params, this.session);
    return { ...message, ...this.common };
  }

  /** The answer's message, whether a result or an error. */
  async ask(method: string, params: object = {}): Promise<any> {
    return (await send(this.url, this.request(method, params))).message;
  }

  async call(name: string, input: object = {}): Promise<any> {
    return this.ask('tools/call', { name, arguments: input });
  }

  /** Names of the listed tools, of all pages. */
  async names(): Promise<readonly string[]> {
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const { result } = await this.ask('tools/list', cursor === undefined ? {} : { cursor });
      names.push(...result.tools.map(({ name }: { name: string }) => name));
      cursor = result.nextCursor;
    } while (cursor !== undefined);
    return names;
  }

  /** Opens a stream of changes of the list. @param filter of the modern era. @default changes of tools */
  listen(filter: object = { toolsListChanged: true }): Promise<WireStream> {
    if (this.era === 'modern') return open(this.url, this.request('subscriptions/listen', { notifications: filter }));
    const { headers = {} } = legacy('', {}, this.session);
    return open(this.url, { method: 'GET', headers: { ...headers, accept: 'text/event-stream' }, ...this.common });
  }
}
