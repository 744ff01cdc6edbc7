import type { ToolCall } from '@tool-search/core';
import type { TraceContext } from '@tool-search/core/source';
import { McpSource, type McpSourceOptions } from '@tool-search/mcp';
import { AskingServer } from '../gateway/support/asking-server.js';
import { ERAS } from '../gateway/support/wire.js';

const { signal } = new AbortController();
const TRACE: TraceContext = {
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01',
  tracestate: 'vendor=a',
  baggage: 'tier=gold',
};
const ONLY_PARENT: TraceContext = { traceparent: TRACE.traceparent };
const NOTHING = { message: {}, headers: {} };

const callWith = (trace?: TraceContext): ToolCall => ({
  id: 'call',
  signal,
  deadline: Date.now() + 600_000,
  progress: () => undefined,
  ...(trace && { trace }),
});

describe.each(ERAS)('the trace of a call, at a server of the %s era', (era) => {
  const server = new AskingServer(era);
  let url: string;
  const opened: McpSource[] = [];
  beforeAll(async () => {
    url = await server.start();
  });
  afterEach(() => Promise.all(opened.splice(0).map((source) => source.close())));
  afterAll(() => server.stop());
  beforeEach(() => void server.traces.splice(0));

  const sourceOf = async (options: Partial<McpSourceOptions> = {}) => {
    const source = new McpSource({ name: 'asking', url, ...options } as McpSourceOptions);
    opened.push(source);
    await source.load(signal);
    return source;
  };
  const seen = async (source: McpSource, trace?: TraceContext) => {
    server.traces.splice(0);
    await source.call('lists', {}, { tenantId: 'acme' }, callWith(trace));
    return server.traces;
  };

  it('is in its message and in the headers of its request, and each call has its own', async () => {
    const source = await sourceOf();
    expect(await seen(source, TRACE)).toEqual([{ message: TRACE, headers: TRACE }]);
    expect(await seen(source, ONLY_PARENT)).toEqual([{ message: ONLY_PARENT, headers: ONLY_PARENT }]);
    expect(await seen(source)).toEqual([NOTHING]);
  });

  it("is in the headers except for the operator's own, beside whose parent nothing of it is there", async () => {
    const own = { TraceState: 'operator=1', BAGGAGE: 'tier=operator' };
    expect(await seen(await sourceOf({ headers: own }), TRACE)).toEqual([
      { message: TRACE, headers: { ...ONLY_PARENT, tracestate: 'operator=1', baggage: 'tier=operator' } },
    ]);
    const parent = { traceparent: `00-${'f'.repeat(32)}-${'f'.repeat(16)}-01` };
    expect(await seen(await sourceOf({ headers: parent }), TRACE)).toEqual([{ message: TRACE, headers: parent }]);
  });

  it('is handed on where the application says so, or by default to places that are not public', async () => {
    expect(await seen(await sourceOf({ propagate: false }), TRACE)).toEqual([NOTHING]);
    expect(await seen(await sourceOf({ propagate: true }), ONLY_PARENT)).toMatchObject([{ message: ONLY_PARENT }]);
    const owned = { owner: 'acme', egress: { allow: ['127.0.0.0/8'] } };
    expect(await seen(await sourceOf(owned), ONLY_PARENT)).toMatchObject([{ message: ONLY_PARENT }]);
  });
});
