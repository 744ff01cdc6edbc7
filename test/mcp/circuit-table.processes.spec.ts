import { SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { openToolbox, type OpenToolbox } from '@tool-search/core/testing';
import { type CallOptions, withDeadline } from '@tool-search/core/internal';
import { McpSource, type McpSourceOptions } from '@tool-search/mcp';
import { AskingServer } from '../gateway/support/asking-server.js';

const ADA = { tenantId: 'acme', userId: 'ada' };
const BOB = { tenantId: 'globex', userId: 'bob' };
/** More than the failures that open a circuit. */
const TIMES = 8;
const LATE_MS = 200;

const FORM = { mode: 'form', message: 'Which city?', requestedSchema: { type: 'object', properties: {} } };

/** The tools of {@link AskingServer} in a child process, in the revision 2025-11-25. */
const CHILD = `
  let lists = 0;
  const waiting = new Map();
  const write = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
  const text = (id, words) => write({ id, result: { content: [{ type: 'text', text: words }] } });
  const tools = ['ask', 'lists', 'hang'].map((name) => ({ name, description: name, inputSchema: { type: 'object' } }));
  require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params, result } = JSON.parse(line);
    if (method === 'initialize') write({ id, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'child', version: '1' } } });
    else if (method === 'tools/list') write({ id, result: { tools } }, lists += 1);
    else if (method === 'tools/call' && params.name === 'lists') text(id, 'lists: ' + lists);
    else if (method === 'tools/call' && params.name === 'ask') {
      waiting.set('q' + id, id);
      write({ id: 'q' + id, method: 'elicitation/create', params: ${JSON.stringify(FORM)} });
    } else if (waiting.has(id)) text(waiting.get(id), JSON.stringify(result));
    else if (method && id !== undefined && method !== 'tools/call') write({ id, error: { code: -32601, message: 'unknown method' } });
  });`;

type Started = { readonly options: McpSourceOptions; stop(): Promise<void> };

const overHttp = (era: 'legacy' | 'modern') => async (): Promise<Started> => {
  const server = new AskingServer(era);
  return { options: { name: 'far', url: await server.start() }, stop: () => server.stop() };
};
const TRANSPORTS: readonly (readonly [name: string, start: () => Promise<Started>])[] = [
  ['HTTP, 2025-11-25', overHttp('legacy')],
  ['HTTP, 2026-07-28', overHttp('modern')],
  [
    'stdio',
    () =>
      Promise.resolve({
        options: { name: 'far', command: process.execPath, args: ['-e', CHILD] },
        stop: () => Promise.resolve(),
      }),
  ],
];

/** Ends a call that the server does not answer, for this reason. */
const abortedWith = (reason: unknown) => () => {
  const giveUp = new AbortController();
  setImmediate(() => giveUp.abort(reason));
  return { tool: 'hang', signal: giveUp.signal };
};
const asked = (ask: () => Promise<never>) => () => ({
  tool: 'ask',
  input: { methods: ['elicitation/create' as const], ask },
});

/** Each event, the call that it ends, and what {@link TIMES} of them count as. */
const EVENTS: readonly (readonly [
  string,
  () => { tool: string } & CallOptions,
  'nothing' | 'a question of its own',
])[] = [
  ['a closed connection', abortedWith(new SdkError(SdkErrorCode.ConnectionClosed, 'Connection closed')), 'nothing'],
  ['notifications/cancelled', abortedWith('the user pressed stop'), 'nothing'],
  ['an AbortSignal', abortedWith(undefined), 'nothing'],
  ['a refused question', asked(() => Promise.reject(new Error('declined'))), 'nothing'],
  ['an expired question', asked(() => withDeadline(1, () => new Promise<never>(() => undefined))), 'nothing'],
  ['our own deadline', () => ({ tool: 'hang' }), 'a question of its own'],
];

describe.each(TRANSPORTS)('the circuit of an MCP server over %s', (_, start) => {
  let server: Started;
  let app: OpenToolbox;
  let callTimeoutMs: number | undefined;
  const call = (as: typeof ADA, tool: string, options: CallOptions = {}) =>
    app.open(as).call(`far.${tool}`, {}, options);
  const lists = async (): Promise<number> => {
    const said = /lists: (\d+)/.exec(JSON.stringify(await call(BOB, 'lists')));
    // On a busy machine this call may meet the deadline too.
    return said ? Number(said[1]) : lists();
  };
  const boot = async () => {
    server = await start();
    app = await openToolbox({
      sources: [new McpSource({ ...server.options, changes: 'trust', callTimeoutMs } as McpSourceOptions)],
    });
  };
  beforeEach(() => (callTimeoutMs = undefined));
  afterEach(async () => {
    await app.close();
    await server.stop();
  });

  it.each(EVENTS)('counts as it should: %s', async (event, ended, counted) => {
    if (event === 'our own deadline') callTimeoutMs = LATE_MS;
    await boot();
    const before = await lists();
    for (let n = 0; n < TIMES; n++) {
      const { tool, ...options } = ended();
      expect(await call(ADA, tool, options)).toMatchObject({ ok: false });
    }
    // Failures that count make the source ask the server whether it answers, once; it does, so nobody is refused.
    expect(Math.sign((await lists()) - before)).toBe(counted === 'nothing' ? 0 : 1);
  });

  it('is not changed by the shutdown: running calls end with a code, and no event reports an outage', async () => {
    await boot();
    const running = Array.from({ length: TIMES }, () => call(ADA, 'hang'));
    await call(BOB, 'lists');
    const events: string[] = [];
    app.events.on('*', ({ type }) => void events.push(type));
    await app.close();
    for (const result of await Promise.all(running))
      expect(result).toMatchObject({ ok: false, code: 'SOURCE_UNAVAILABLE' });
    expect(events.filter((type) => type.startsWith('source'))).toEqual([]);
  });
});
