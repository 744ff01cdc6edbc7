import { createTraceState, INVALID_SPAN_CONTEXT } from '@opentelemetry/api';
import fc from 'fast-check';
import { parentValues, remoteSpan } from './trace-parent.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = '00f067aa0ba902b7';
const PARENT = `00-${TRACE}-${SPAN}-01`;

it('a span keeps its values from one process to the next', () => {
  const span = remoteSpan(PARENT, 'vendor=a, other=b');
  expect(span).toMatchObject({ traceId: TRACE, spanId: SPAN, traceFlags: 1, isRemote: true });
  expect(parentValues(span)).toEqual({ traceparent: PARENT, tracestate: 'vendor=a,other=b' });
  expect(parentValues(remoteSpan(`00-${TRACE}-${SPAN}-00`, undefined))).toEqual({
    traceparent: `00-${TRACE}-${SPAN}-00`,
  });
});

it.each([
  ['a later version, with a part that is not known', `01-${TRACE}-${SPAN}-01-more`],
  ['flags that are not known', `00-${TRACE}-${SPAN}-ff`],
])('reads %s, and hands on what it knows', (_, parent) => {
  expect(parentValues(remoteSpan(parent, undefined))).toEqual({ traceparent: PARENT });
});

it.each([
  ['nothing', undefined],
  ['what is no text', { toString: (): string => PARENT }],
  ['a text without parts', 'x'],
  ['capital letters', PARENT.toUpperCase()],
  ['the version that does not exist', `ff-${TRACE}-${SPAN}-01`],
  ['a trace of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
  ['a span of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
  ['a part too many', `${PARENT}-more`],
  ['two values in one header', `${PARENT}, ${PARENT}`],
  ['a line break at the end', `${PARENT}\n`],
  ['more than 256 characters', `01-${TRACE}-${SPAN}-01-${'a'.repeat(300)}`],
])('reads no span from %s', (_, parent) => {
  expect(remoteSpan(parent, 'vendor=a')).toBeUndefined();
});

it.each([
  ['what is no text', ['vendor=a']],
  ['more than 512 characters', `vendor=${'a'.repeat(512)}`],
  ['no member', 'vendor'],
  ['a line break', 'vendor=a\r\nx: y'],
])('a state of %s is dropped, and the parent stays', (_, state) => {
  expect(parentValues(remoteSpan(PARENT, state))).toEqual({ traceparent: PARENT });
});

it('does not hand on a state of the application that is too long, nor a span without a trace', () => {
  const traceState = createTraceState().set('vendor', 'a'.repeat(600));
  expect(parentValues({ traceId: TRACE, spanId: SPAN, traceFlags: 1, traceState })).toEqual({ traceparent: PARENT });
  expect(parentValues(INVALID_SPAN_CONTEXT)).toBeUndefined();
  expect(parentValues(undefined)).toBeUndefined();
});

it('what is handed on can be a header, whatever came in', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (given, state) => {
      for (const parent of [given, PARENT]) {
        const values = parentValues(remoteSpan(parent, state));
        for (const value of Object.values(values ?? {})) expect(value).toMatch(/^[\x20-\x7e]{1,512}$/);
      }
    }),
  );
});
