import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { ToolSearchError } from '@tool-search/core';
import { SpanTracing } from './span-tracing.js';

const TRACE_IDS = ['a', 'b'].map((digit) => digit.repeat(32)) as [string, string];
const SPAN_ID = '00f067aa0ba902b7';
const PARENTS = TRACE_IDS.map((traceId) => `00-${traceId}-${SPAN_ID}-01`) as [string, string];
const NONE = () => undefined;
const values =
  (given: Readonly<Record<string, unknown>>) =>
  (name: string): unknown =>
    given[name];

const spans = new InMemorySpanExporter();
const application = () => trace.getTracer('application');
beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }));
});
afterAll(() => {
  trace.disable();
  context.disable();
});
beforeEach(() => spans.reset());

const WORK = { operation: 'execute_tool', target: 'crm.read' } as const;
const finished = (name: string) => spans.getFinishedSpans().find((span) => span.name === name)!;
/** Traces a call, and returns what it would hand on. */
const called = (tracing: SpanTracing) =>
  tracing.trace(
    WORK,
    async () => tracing.handedOn(),
    () => 'ok',
  );

describe('a call goes on in the trace', () => {
  const tracing = new SpanTracing({});
  it.each([
    ['of its message', { traceparent: PARENTS[0] }, { traceparent: PARENTS[1] }],
    ['of the headers, without one in its message', {}, { traceparent: PARENTS[0] }],
    ['of the headers, if that of its message is malformed', { traceparent: 'x' }, { traceparent: PARENTS[0] }],
  ])('%s', async (_, message, headers) => {
    const handed = await tracing.continued(values(message), values(headers), () => called(tracing));
    const { parentSpanContext } = finished('execute_tool crm.read');
    expect(parentSpanContext).toMatchObject({ traceId: TRACE_IDS[0], spanId: SPAN_ID, isRemote: true });
    const { spanId } = finished('execute_tool crm.read').spanContext();
    expect(handed).toEqual({ traceparent: `00-${TRACE_IDS[0]}-${spanId}-01` });
  });

  it('of the application, which has read the headers before', async () => {
    await application().startActiveSpan('POST /mcp', async (span) => {
      await tracing.continued(NONE, values({ traceparent: PARENTS[1] }), () => called(tracing));
      span.end();
    });
    const { parentSpanContext, links } = finished('execute_tool crm.read');
    expect(parentSpanContext?.spanId).toBe(finished('POST /mcp').spanContext().spanId);
    expect(links).toEqual([]);
  });

  it('of its message, with a link to the span in which the message arrived', async () => {
    await application().startActiveSpan('POST /mcp', async (span) => {
      await tracing.continued(values({ traceparent: PARENTS[0] }), NONE, () =>
        tracing.trace(
          WORK,
          () => tracing.waited('limits', async () => called(tracing)),
          () => 'ok',
        ),
      );
      span.end();
    });
    const [inner, outer] = spans.getFinishedSpans().filter(({ name }) => name === 'execute_tool crm.read');
    expect(outer!.parentSpanContext?.traceId).toBe(TRACE_IDS[0]);
    expect(outer!.links).toMatchObject([{ context: finished('POST /mcp').spanContext() }]);
    expect(inner!.links).toEqual([]);
    expect(inner!.spanContext().traceId).toBe(TRACE_IDS[0]);
  });

  it('of its own, if the request names none', async () => {
    await tracing.continued(NONE, NONE, () => called(tracing));
    expect(finished('execute_tool crm.read').parentSpanContext).toBeUndefined();
  });
});

describe('baggage', () => {
  const named = new SpanTracing({ baggage: ['tier', 'region'] });
  const parent = { traceparent: PARENTS[0] };
  const handed = async (tracing: SpanTracing, message: object, headers: object = {}) =>
    (await tracing.continued(values({ ...message }), values({ ...headers }), () => called(tracing)))?.baggage;

  it('is handed on by the keys that the application names, of the message before the headers', async () => {
    expect(await handed(named, { ...parent, baggage: 'tier=gold,user=ada' })).toBe('tier=gold');
    expect(await handed(named, parent, { baggage: 'tier=gold' })).toBe('tier=gold');
    expect(await handed(named, { ...parent, baggage: 'tier=gold' }, { baggage: 'tier=tin' })).toBe('tier=gold');
    expect(await handed(new SpanTracing({}), { ...parent, baggage: 'tier=gold' })).toBeUndefined();
  });

  it.each([
    ['malformed', 'tier="gold"'],
    ['too long', `tier=gold,other=${'a'.repeat(8192)}`],
    ['no text', 7],
    ['without a named key', 'user=ada'],
  ])('of a message counts as missing where it is %s: that of the headers is handed on', async (_, baggage) => {
    expect(await handed(named, { ...parent, baggage }, { baggage: 'tier=tin' })).toBe('tier=tin');
  });

  it('of the application is handed on too, and no request overwrites it', async () => {
    const own = propagation.createBaggage({ tier: { value: 'tin' }, user: { value: 'ada' } });
    await context.with(propagation.setBaggage(context.active(), own), async () => {
      expect(await handed(named, parent)).toBe('tier=tin');
      const claimed = { baggage: 'tier=gold,region=eu,region=us' };
      expect(await handed(named, { ...parent, ...claimed })).toBe('tier=tin,region=us');
      expect(await handed(named, parent, claimed)).toBe('tier=tin,region=us');
    });
  });
});

it('a wait is a span below the call, which fails with the code of its error', async () => {
  const tracing = new SpanTracing({});
  const error = new ToolSearchError('LIMIT_REACHED', 'Too many calls.');
  const refused = tracing.trace(
    WORK,
    () => tracing.waited('limits', () => Promise.reject(error)),
    () => 'ok',
  );
  await expect(refused).rejects.toBe(error);
  const { parentSpanContext, attributes } = finished('wait tool_search.limits');
  expect(parentSpanContext?.spanId).toBe(finished('execute_tool crm.read').spanContext().spanId);
  expect(attributes).toEqual({ 'error.type': 'LIMIT_REACHED' });
});

it('nothing is handed on outside of a trace, and readers that throw cost no call', async () => {
  const tracing = new SpanTracing({ baggage: ['tier'] });
  expect(tracing.handedOn()).toBeUndefined();
  const broken = () => {
    throw new Error('no headers');
  };
  expect(tracing.continued(broken, broken, () => 7)).toBe(7);
});
