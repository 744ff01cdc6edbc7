import { headerFault } from './tool-headers.js';

const on = (name: unknown, type: unknown = 'string') => ({
  type: 'object',
  properties: { a: { type, 'x-mcp-header': name } },
});

describe('the headers that a tool wants of its arguments', () => {
  it.each<[string, unknown]>([
    ['none', { type: 'object', properties: { a: { type: 'string' } } }],
    ['a token', on('Region')],
    ['an integer', on('Limit', 'integer')],
    [
      'one further in',
      { properties: { a: { type: 'object', properties: { b: { type: 'boolean', 'x-mcp-header': 'B' } } } } },
    ],
    ['a property that is only named so', { properties: { 'x-mcp-header': { type: 'string' } } }],
    ['a value that only looks so', { properties: { a: { const: { 'x-mcp-header': '\r\n' } } } }],
    ['no schema', null],
    ['a list', []],
  ])('are in order: %s', (_, schema) => {
    expect(headerFault(schema)).toBeUndefined();
  });

  it.each<[string, unknown]>([
    ['Authorization', on('Authorization')],
    ['a proxy', on('proxy-authorization')],
    ['Cookie', on('COOKIE')],
    ['Host', on('Host')],
    ['Transfer-Encoding', on('transfer-encoding')],
    ['Connection', on('Connection')],
    ['the session of the protocol', on('Mcp-Session-Id')],
    ['a key', on('X-Api-Key')],
    ['a token', on('X-Auth-Token')],
    ['a line break', on('Region\r\nAuthorization: Bearer x')],
    ['a space', on('My Region')],
    ['nothing', on('')],
    ['no text', on(7)],
    ['a number', on('Amount', 'number')],
    ['an object', on('Thing', 'object')],
    ['several types', on('Thing', ['string', 'null'])],
    ['the root', { type: 'object', 'x-mcp-header': 'All' }],
    [
      'the same name twice',
      { properties: { a: { type: 'string', 'x-mcp-header': 'Re' }, b: { type: 'string', 'x-mcp-header': 'rE' } } },
    ],
    ['items', { properties: { a: { type: 'array', items: { type: 'string', 'x-mcp-header': 'A' } } } }],
    ['a branch', { properties: { a: { anyOf: [{ type: 'string', 'x-mcp-header': 'A' }] } } }],
    ['a definition', { $defs: { a: { type: 'string', 'x-mcp-header': 'A' } } }],
    ['what lies below a branch', { allOf: [{ properties: { a: { type: 'string', 'x-mcp-header': 'A' } } }] }],
  ])('leave a tool out: %s', (_, schema) => {
    expect(headerFault(schema)).toMatch(/^x-mcp-header /);
  });

  it('are looked for once at each keyword of each schema', () => {
    let looks = 0;
    const counted = (schema: object) =>
      new Proxy(schema, {
        get: (target, key) => {
          looks += 1;
          return Reflect.get(target, key) as unknown;
        },
      });
    const properties = Array.from({ length: 1_000 }, (_, i) => [`p${i}`, counted({ type: 'string', title: 'x' })]);
    expect(headerFault({ type: 'object', properties: Object.fromEntries(properties) })).toBeUndefined();
    expect(looks).toBe(2_000);
  });
});
