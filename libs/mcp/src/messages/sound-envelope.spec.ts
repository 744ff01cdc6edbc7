import { parseJSONRPCMessage } from '@modelcontextprotocol/client';
import fc from 'fast-check';
import { NOT_ANSWERED, soundEnvelope } from './sound-envelope.js';

const isMessage = (value: unknown) => {
  try {
    return parseJSONRPCMessage(value) !== undefined;
  } catch {
    return false;
  }
};
const META = fc.constantFrom<unknown>(
  undefined,
  null,
  7,
  [],
  {},
  { progressToken: 'x' },
  { progressToken: null },
  { a: null },
);
const HOLDER = fc.oneof(
  META.map((meta) => ({ a: 1, _meta: meta })),
  fc.constantFrom<unknown>({}, null, 'x', [], 7),
);
const ERROR = fc.constantFrom<unknown>(
  null,
  false,
  '',
  'words',
  {},
  { code: -32_603, message: 'no' },
  { code: '-32603', message: null },
  { code: 1.5, data: null },
);
const MESSAGE = fc
  .record(
    {
      jsonrpc: fc.constantFrom<unknown>('2.0', '1.0', 2, null),
      id: fc.constantFrom<unknown>(7, '7', 'a', null, 1.5, {}),
      method: fc.constantFrom<unknown>('ping', 'notifications/progress', null, 7),
      params: HOLDER,
      result: HOLDER,
      error: ERROR,
      more: fc.constant(1),
    },
    { requiredKeys: [] },
  )
  // As it comes from JSON, which has no undefined.
  .map((message) => JSON.parse(JSON.stringify(message)) as Record<string, unknown>);

describe('the envelope of a message', () => {
  it('stays byte for byte where the SDK takes it', () => {
    const id = fc.constantFrom<unknown>(7, '7', 'a');
    const holder = fc.constantFrom<unknown>({}, { a: null }, { _meta: {} }, { _meta: { a: null, progressToken: 'x' } });
    const jsonrpc = fc.constant('2.0');
    const sound = fc.oneof(
      fc.record({ jsonrpc, id, method: fc.constant('ping'), params: holder }, { requiredKeys: ['jsonrpc', 'method'] }),
      fc.record({ jsonrpc, id, result: holder }),
      fc.record({
        jsonrpc,
        id,
        error: fc.constantFrom({ code: 1, message: '' }, { code: 1, message: 'x', data: null }),
      }),
    );
    fc.assert(
      fc.property(sound, (message) => {
        expect(isMessage(message)).toBe(true);
        expect(soundEnvelope(message)).toBe(message);
      }),
      { numRuns: 500 },
    );
  });

  it('is one that the SDK takes, of every response to a request that waits', () => {
    fc.assert(
      fc.property(MESSAGE, (message) => {
        fc.pre(typeof message['method'] !== 'string' && ('result' in message || 'error' in message));
        const sound = soundEnvelope(message, 7);
        expect(isMessage(sound)).toBe(true);
        if ([7, '7', null, undefined].includes(message['id'] as never)) expect(sound).toHaveProperty('id', 7);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each<[string, object, object]>([
    ['an error that is null', { id: 7, result: {}, error: null }, { id: 7, result: {} }],
    ['an error that says nothing', { id: 7, result: {}, error: {} }, { id: 7, result: {} }],
    [
      'a result that is null beside an error',
      { id: 7, result: null, error: { code: 1, message: 'x' } },
      { id: 7, error: { code: 1, message: 'x' } },
    ],
    ['an unknown member', { id: 7, result: {}, took: 3 }, { id: 7, result: {} }],
    [
      'parameters of a response',
      { id: 7, params: {}, error: { code: 1, message: 'x' } },
      { id: 7, error: { code: 1, message: 'x' } },
    ],
    ['an error of a request', { id: 7, method: 'm', error: { code: 1, message: 'x' } }, { id: 7, method: 'm' }],
    ['metadata that is null', { id: 7, result: { a: null, _meta: null } }, { id: 7, result: { a: null } }],
    ['an id of a notification that is null', { id: null, method: 'm', params: {} }, { method: 'm', params: {} }],
    ['parameters that are null', { method: 'm', params: null }, { method: 'm' }],
    [
      'an error with a code in digits',
      { id: 7, error: { code: '-32001', message: 'x' } },
      { id: 7, error: { code: -32_001, message: 'x' } },
    ],
    ['an error that is a text', { id: 7, error: 'no' }, { id: 7, error: { code: -32_603, message: 'no' } }],
  ])('loses %s', (_, message, sound) => {
    expect(soundEnvelope({ jsonrpc: '2.0', ...message })).toEqual({ jsonrpc: '2.0', ...sound });
  });

  it.each([
    ['a result and an error', { id: 7, result: {}, error: { code: 1, message: 'x' } }],
    ['a result that is none', { id: 7, result: 'done' }],
    ['neither', { id: 7, Result: {} }],
  ])('becomes an error where it has %s', (_, message) => {
    expect(soundEnvelope({ jsonrpc: '2.0', ...message })).toMatchObject({ id: 7, error: { code: NOT_ANSWERED } });
  });

  it.each([{ id: 7 }, { jsonrpc: '2.0' }, { tools: [] }, 7, null, [], 'text'])(
    'is none, and stays as it is: %j',
    (noise) => {
      expect(soundEnvelope(noise, 7)).toBe(noise);
    },
  );
});
