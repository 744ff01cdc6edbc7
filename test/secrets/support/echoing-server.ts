import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server as HttpServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Era } from '../../gateway/support/wire.js';
import { ABOUT, type AnswerKind, type CallersMethod, PROMPT, RESOURCE, TEMPLATE, TOOL } from './answers.js';
import { ALL_ENCODINGS, ENCODINGS } from './encodings.js';
import { type Place, placesOf, planted } from './places.js';
import { answerTo, WISHES } from './wishes.js';

/** The tool, the template and the prompt that say what a caller wishes for. */
const WISH = { type: 'object', properties: { wish: { type: 'string' } } };
const SAYING = {
  'tools/list': { name: 'wish', description: 'Says it as you wish.', inputSchema: WISH },
  'resources/templates/list': { name: 'wish', uriTemplate: 'wish:///{wish}' },
  'prompts/list': { name: 'wish', arguments: [{ name: 'wish' }] },
} as const;
const LISTS = {
  'tools/list': { key: 'tools', entry: TOOL },
  'resources/list': { key: 'resources', entry: RESOURCE },
  'resources/templates/list': { key: 'resourceTemplates', entry: TEMPLATE },
  'prompts/list': { key: 'prompts', entry: PROMPT },
} as const;
const IDS = new Set(['name', 'uri', 'uriTemplate']);
const CAPABILITIES = { tools: {}, resources: {}, prompts: {}, completions: {}, logging: {}, experimental: { odd: {} } };
/** What a source of this server may offer to its callers: everything. */
export const OFFERED = {
  expose: { resources: true, prompts: true, logging: true },
  input: { elicitation: true, sampling: true, roots: true },
};
const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';
/** Members of every result of the modern era. */
const SOUND = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };

/** A message of a client, and how it is answered. */
export interface Asked {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, any>>;
}

/** Places of the definitions that a server lists, one in each entry of the list. */
export const LISTED_PLACES = Object.fromEntries(
  Object.entries(LISTS).map(([method, { entry }]) => [method, placesOf(entry)]),
) as Readonly<Record<keyof typeof LISTS, readonly Place[]>>;

/**
 * A careless MCP server: every answer says the credential that its request was sent with. Lists say it in one place of
 * each entry, and other answers where a caller wishes. It knows nothing of how it is reached.
 */
export class EchoingServer {
  /** How lists and what it says of itself are written: in this encoding, and each entry of a list in the next one. */
  firstEncoding = 0;

  constructor(readonly era: Era) {}

  /** What a message is answered with. */
  answer({ method = '', params = {} }: Asked, credential: string): AnswerKind {
    const encoded = (index: number) => encodedBy(this.firstEncoding + index, credential);
    const said = encoded(0);
    if (method === 'server/discover' || method === 'initialize') return this.#greeting(method, said);
    if (Object.hasOwn(LISTS, method)) return { result: this.#list(method as keyof typeof LISTS, params, encoded) };
    if (!Object.hasOwn(WISHES, method)) return { result: {} };
    // The second round of a question.
    if (params['inputResponses'] !== undefined) return { result: { content: [], contents: [], messages: [] } };
    const wishes = WISHES[method as CallersMethod];
    return answerTo(method as CallersMethod, wishes[wishOf(params)] ?? wishes[0]!, credential);
  }

  #greeting(method: string, said: string): AnswerKind {
    if ((method === 'server/discover') !== (this.era === 'modern')) {
      return { error: { code: -32_601, message: `no such method, ${said}` } };
    }
    const { serverInfo, ...about } = planted(ABOUT, said);
    const capabilities = { ...CAPABILITIES, experimental: { odd: { [said]: said } } };
    return this.era === 'legacy'
      ? { result: { protocolVersion: '2025-11-25', capabilities, serverInfo, ...about } }
      : {
          result: {
            supportedVersions: ['2026-07-28', said],
            capabilities,
            ...about,
            _meta: { ...about._meta, [SERVER_INFO]: serverInfo },
          },
        };
  }

  #list(
    method: keyof typeof LISTS,
    { cursor }: Readonly<Record<string, any>>,
    encoded: (index: number) => string,
  ): object {
    const said = encoded(0);
    const { key, entry } = LISTS[method];
    if (cursor !== undefined) return { [key]: method in SAYING ? [SAYING[method as keyof typeof SAYING]] : [] };
    const entries = LISTED_PLACES[method].map((place, index) => {
      const numbered = Object.fromEntries(
        Object.entries(entry)
          .filter(([, value]) => value !== undefined)
          .map(([name, value]) => [name, IDS.has(name) ? numberedId(String(value), index) : value]),
      );
      return planted(numbered, encoded(index), place);
    });
    // The cursor comes back with the next request, unless it was cleaned.
    return { [key]: entries, nextCursor: said, _meta: { said, [said]: said }, [`x${said}`]: said };
  }
}

function encodedBy(number: number, credential: string): string {
  return ENCODINGS[ALL_ENCODINGS[number % ALL_ENCODINGS.length]!](credential);
}

/** Ids that stay apart: of a template, before the part that is filled in. */
function numberedId(id: string, index: number): string {
  return id.includes('{') ? id.replace('pages', `pages${index}`) : `${id}${index}`;
}

function wishOf({ arguments: given, uri, argument }: Readonly<Record<string, any>>): number {
  return Number(given?.wish ?? argument?.value ?? /\d+$/.exec(String(uri))?.[0]);
}

/** Messages of JSON-RPC that answer a request: those before the result, and the result. */
export function messagesFor(answer: AnswerKind, { id, params }: Asked, era: Era): readonly object[] {
  const own = { jsonrpc: '2.0', id };
  const result = (said: object) => ({ ...own, result: era === 'modern' ? { ...SOUND, ...said } : said });
  if ('result' in answer) return [result(answer.result)];
  if ('error' in answer) return [{ ...own, error: answer.error }];
  if ('status' in answer) return [{ ...own, error: { code: -32_000, message: JSON.stringify(answer) } }];
  if ('notification' in answer) {
    const progressToken = params?.['_meta']?.progressToken as unknown;
    const isProgress = answer.notification === 'notifications/progress';
    const said = { ...answer.params, ...(isProgress && { progressToken }) };
    return [{ jsonrpc: '2.0', method: answer.notification, params: said }, result({ content: [] })];
  }
  const question = { method: answer.question, params: answer.params };
  return era === 'legacy'
    ? [{ jsonrpc: '2.0', id: `q${id}`, ...question }]
    : [result({ resultType: 'input_required', inputRequests: { q: question }, requestState: 's' })];
}

/** An {@link EchoingServer} over Streamable HTTP. The credential is the bearer token of each request. */
export class EchoingHttpServer extends EchoingServer {
  /** Answers requests that are no messages, such as those for metadata. @returns whether it did */
  answerPlain: (request: IncomingMessage, response: ServerResponse) => boolean = () => false;
  /** Says this instead of what it was sent. */
  instead: string | undefined;
  readonly #asking = new Map<string, { response: ServerResponse; asked: Asked }>();
  #http: HttpServer | undefined;

  /** Starts on a free port. Returns the address. */
  async start(): Promise<string> {
    this.#http = createServer((request, response) => void this.#handle(request, response));
    this.#http.listen(0, '127.0.0.1');
    await once(this.#http, 'listening');
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}/mcp`;
  }

  async stop(): Promise<void> {
    this.#http?.closeAllConnections();
    this.#http?.close();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (this.answerPlain(request, response)) return;
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const asked = JSON.parse(Buffer.concat(chunks).toString()) as Asked;
    const credential = this.instead ?? (request.headers.authorization ?? '').replace('Bearer ', '');
    if (asked.method === undefined) return this.#answered(asked, response);
    if (asked.id === undefined) return void response.writeHead(202).end();
    const answer = this.answer(asked, credential);
    if ('status' in answer) {
      const headers = { 'content-type': 'application/json', ...writableHeaders(answer.headers) };
      return void response.writeHead(answer.status, headers).end(JSON.stringify(answer.body));
    }
    const messages = messagesFor(answer, asked, this.era);
    const isStream = messages.length > 1 || !('id' in messages[0]! && (messages[0] as Asked).method === undefined);
    if (!isStream) {
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(messages[0]));
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const message of messages) response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
    if (!('question' in answer)) return void response.end();
    this.#asking.set(`q${asked.id}`, { response, asked });
  }

  /** A client has answered a question: the call goes on. */
  #answered({ id }: Asked, response: ServerResponse): void {
    response.writeHead(202).end();
    const asking = this.#asking.get(String(id));
    if (!asking) return;
    this.#asking.delete(String(id));
    const [message] = messagesFor({ result: { content: [] } }, asking.asked, this.era);
    asking.response.end(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  }
}

/** A name of a header cannot say everything. */
function writableHeaders(headers: object = {}): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name.replaceAll(/[^\w-]/g, '_'), String(value)]);
  return Object.fromEntries(entries) as Record<string, string>;
}
