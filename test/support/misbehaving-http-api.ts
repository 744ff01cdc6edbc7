import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

/** A request as received by the misbehaving API. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

interface Exchange {
  readonly request: SeenRequest;
  readonly response: ServerResponse;
  readonly socket: Socket;
}

type Behaviour = (exchange: Exchange) => void;

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Behaviour =>
  ({ response }) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));

const redirectTo =
  (location: string, status = 302): Behaviour =>
  ({ response }) =>
    response.writeHead(status, { location }).end('moved');

/** Writes repeatedly for as long as the client reads. */
const endless =
  (chunk: string, pauseMs = 0): Behaviour =>
  ({ response }) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const write = () => {
      if (response.destroyed) return;
      if (response.write(chunk)) setTimeout(write, pauseMs);
      else response.once('drain', write);
    };
    write();
  };

const raw =
  (text: string | Buffer): Behaviour =>
  ({ socket }) =>
    void socket.end(text);

/** A secret that its stack traces contain. */
export const INNER_SECRET = 'postgres://root:hunter2@10.0.0.7/prod';
const stack = `Error: boom ${INNER_SECRET}\n    at Pool.query (/srv/app/node_modules/pg/lib/pool.js:45:11)\n    at /srv/app/dist/main.js:12:3`;

/** All misbehaviours of the API. The name is both the path and the operation id. */
export const BEHAVIOURS = {
  fine: json(200, { fine: true }),
  never: () => undefined,
  drip: endless(' ', 20),
  endless: endless('x'.repeat(65_536)),
  close_before: ({ socket }) => void socket.destroy(),
  close_within: ({ response }) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"a":', () => response.destroy());
  },
  gzip_bomb: json(200, gzipSync(Buffer.alloc(50_000_000, 0x20), { level: 9 }), { 'content-encoding': 'gzip' }),
  false_gzip: json(200, 'this is not gzip', { 'content-encoding': 'gzip' }),
  to_metadata: redirectTo('http://169.254.169.254/latest/meta-data/'),
  to_localhost: redirectTo('http://localhost:22/', 307),
  to_file: redirectTo('file:///etc/passwd', 301),
  unauthorized: json(401, { message: 'who are you?' }),
  forbidden: json(403, { message: 'not you' }),
  not_found: json(404, { message: 'no such thing' }),
  conflict: json(409, { message: 'somebody was faster' }),
  unprocessable: json(422, { errors: [{ field: 'age', message: 'too old' }], stack, debug: { sql: 'SELECT 1' } }),
  plain_trace: ({ response }) =>
    response.writeHead(400, { 'content-type': 'text/plain' }).end(`age is too old\n${stack}`),
  slow_down: json(429, { message: 'slow down' }, { 'retry-after': '7' }),
  crash: json(500, { message: INNER_SECRET, stack }),
  crash_page: ({ response }) => response.writeHead(500, { 'content-type': 'text/html' }).end(`<pre>${stack}</pre>`),
  overloaded: json(503, { message: INNER_SECRET }),
  wrong_type: ({ response }) => response.writeHead(200, { 'content-type': 'image/../../etc' }).end('{"a":1}'),
  not_json: json(200, '{"a": 1,,}'),
  deep: json(200, '['.repeat(100_000) + ']'.repeat(100_000)),
  proto: json(200, '{"__proto__":{"polluted":true},"a":{"\\u005f_proto__":{"polluted":true},"b":1}}'),
  nul: ({ response }) => response.writeHead(200, { 'content-type': 'text/plain' }).end('a\0b\u001b[31mred\r\n'),
  bad_utf8: json(200, Buffer.from([0x22, 0xc3, 0x28, 0xff, 0x22])),
  huge_header: ({ response }) => response.writeHead(200, { 'x-huge': 'h'.repeat(200_000) }).end('{}'),
  cookie: json(200, { ok: true }, { 'set-cookie': 'session=stolen; Domain=example.com' }),
  echo: ({ request, response }) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ youSent: request })),
  echo_escaped: ({ request, response }) => {
    const escaped = (text: string) =>
      text.replace(/./g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
    const { authorization = '' } = request.headers;
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(`{"youSent":"${escaped(String(authorization))}"}`);
  },
  echo_refused: ({ request, response }) =>
    response.writeHead(403, { 'content-type': 'text/plain' }).end(`cannot ${request.method} ${request.url}`),
  bad_chunks: raw('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nZZZ\r\n{}\r\n0\r\n\r\n'),
  no_http: raw(Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01])),
  many: json(
    200,
    Array.from({ length: 2_000 }, (_, id) => ({ id, name: `item ${id}`, note: 'n'.repeat(100) })),
  ),
  switched: raw('HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'),
} satisfies Record<string, Behaviour>;

/** A way for an API to misbehave. */
export type Misbehaviour = keyof typeof BEHAVIOURS;

/** A local HTTP API that misbehaves. The requested path selects how. */
export class MisbehavingHttpApi {
  readonly seen: SeenRequest[] = [];
  readonly #server: Server;
  /** Behaviour of the path `flaky` and of the root, which is asked whether the API is up; set by tests. */
  flaky: Misbehaviour = 'fine';

  private constructor(private readonly extra: Readonly<Record<string, Behaviour>>) {
    this.#server = createServer((incoming, response) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const { method = '', url = '', headers } = incoming;
        const request = { method, url, headers, body: Buffer.concat(chunks).toString() };
        this.seen.push(request);
        const name = url.split(/[/?]/)[1] ?? '';
        const known: Readonly<Record<string, Behaviour>> = { ...BEHAVIOURS, ...this.extra };
        const behave = known[name === 'flaky' || name === '' ? this.flaky : name] ?? BEHAVIOURS.not_found;
        behave({ request, response, socket: incoming.socket });
      });
    });
    // Clients that hang up are expected.
    this.#server.on('clientError', (_, socket) => socket.destroy());
  }

  /** @param extra additional paths and their responses */
  static async start(extra: Readonly<Record<string, Behaviour>> = {}): Promise<MisbehavingHttpApi> {
    const api = new MisbehavingHttpApi(extra);
    api.#server.listen(0, '127.0.0.1');
    await once(api.#server, 'listening');
    return api;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** A correct OpenAPI document: one operation per misbehaviour, and `flaky`. */
  document(more: object = {}): object {
    const paths = [...Object.keys(BEHAVIOURS), 'flaky'].map((name) => [
      `/${name}`,
      { get: { operationId: name, summary: `Do ${name}.` } },
    ]);
    return { openapi: '3.1.0', info: { title: 'Trouble', version: '1' }, paths: Object.fromEntries(paths), ...more };
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
