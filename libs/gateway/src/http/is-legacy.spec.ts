import { isLegacyRequest, PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server';
import fc from 'fast-check';
import { isLegacy } from './is-legacy.js';

const post = (headers: Record<string, string>) => new Request('http://gateway.invalid/', { method: 'POST', headers });

const VERSIONS = ['2026-07-28', '2025-11-25', 'unknown', ''];
const META = fc.constantFrom<unknown>(
  ...VERSIONS.map((version) => ({ [PROTOCOL_VERSION_META_KEY]: version })),
  { [PROTOCOL_VERSION_META_KEY]: 7 },
  { other: 1 },
  null,
  'text',
);
const MESSAGE = fc.oneof(
  fc.record(
    {
      jsonrpc: fc.constantFrom<unknown>('2.0', '1.0', 2),
      id: fc.constantFrom<unknown>(1, 'a', null, 1.5, {}),
      method: fc.constantFrom<unknown>('tools/call', 'initialize', 'notifications/cancelled', 'server/discover', 7),
      params: fc.oneof(fc.record({ _meta: META }, { requiredKeys: [] }), fc.constantFrom<unknown>(null, [], 'text')),
      result: fc.constant({}),
      error: fc.constant({ code: -1, message: 'no' }),
    },
    { requiredKeys: [] },
  ),
  fc.constantFrom<unknown>(undefined, null, 7, 'text', []),
);

describe('isLegacy', () => {
  it('answers as the SDK does, for every message and header', async () => {
    const header = fc.constantFrom(...VERSIONS, undefined);
    const property = fc.asyncProperty(MESSAGE, header, async (message, version) => {
      const headers: Record<string, string> = version === undefined ? {} : { 'mcp-protocol-version': version };
      expect(await isLegacy(post(headers), message)).toBe(await isLegacyRequest(post(headers), message ?? null));
    });
    await fc.assert(property, { numRuns: 20_000 });
  });

  it('is true for initialize with an incomplete `_meta`', async () => {
    const params = { _meta: { [PROTOCOL_VERSION_META_KEY]: '2026-07-28' } };
    expect(await isLegacy(post({}), { jsonrpc: '2.0', id: 1, method: 'initialize', params })).toBe(true);
  });

  it.each(['GET', 'DELETE'])('is true for %s, which only sessions have', async (method) => {
    expect(await isLegacy(new Request('http://gateway.invalid/', { method }), undefined)).toBe(true);
  });
});
