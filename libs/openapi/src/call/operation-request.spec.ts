import fc from 'fast-check';
import {
  isForbiddenHeader,
  type OperationPlan,
  type PlannedBody,
  type PlannedParameter,
} from '../operation/operation-plan.js';
import { operationRequest } from './operation-request.js';

const plan = (parts: Partial<OperationPlan>): OperationPlan => ({
  method: 'GET',
  baseUrl: 'https://api.example.com/v1',
  trusted: true,
  security: [],
  segments: [['pets']],
  query: [],
  headers: [],
  ...parts,
});
const argument = (name: string) => ({ argument: name, name });
const request = (parts: Partial<OperationPlan>, input: unknown, headers: Record<string, string> = {}) =>
  operationRequest(plan(parts), input, new Headers(headers));
const refused = expect.objectContaining({ code: 'INVALID_ARGUMENTS' });

describe('the path', () => {
  const segments = [['pets'], [argument('id')], ['toys']];
  const urlOf = (id: unknown) => request({ segments }, { id }).url;

  it.each([
    ['a word', 'rex', 'rex'],
    ['a number', 42, '42'],
    ['a boolean', true, 'true'],
    ['a slash', 'a/b', 'a%2Fb'],
    ['what would begin a query or fragment', 'a?b#c', 'a%3Fb%23c'],
    ['a percent sign', '100%41', '100%2541'],
    ['other scripts', 'ü😀', '%C3%BC%F0%9F%98%80'],
    ['dots in a name', '..a.', '..a.'],
    ['a list', ['a', 'b/c'], 'a,b%2Fc'],
    ['an object', { a: 1, b: 'c/d' }, 'a,1,b,c%2Fd'],
  ])('takes %s as one segment', (_, id, expected) => {
    expect(urlOf(id)).toBe(`https://api.example.com/v1/pets/${expected}/toys`);
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['an empty string', ''],
    ['a dot', '.'],
    ['two dots', '..'],
    ['a path that walks up', '../../admin'],
    ['a path that walks up later', 'a/../../admin'],
    ['a path that walks up backwards', 'a\\..\\admin'],
    ['two dots, encoded', '%2e%2E'],
    ['a path that walks up, encoded twice', 'a%252f%252e%252e%5cadmin'],
    ['an empty object', {}],
    ['an object that holds dots', { a: '..' }],
    ['an object with an empty name', { '': 1 }],
    ['an empty list', []],
    ['a list that holds dots', ['a', '..']],
    ['half a character', '\ud800'],
  ])('refuses %s', (_, id) => {
    expect(() => urlOf(id)).toThrow(refused);
  });

  it('refuses a value that only an object has', () => {
    expect(() => request({ segments: [[argument('constructor')]] }, {})).toThrow(refused);
  });

  it('builds a segment of several parts', () => {
    const parts = [[argument('base'), '...', argument('head')]];
    expect(request({ segments: parts }, { base: 'a', head: 'b/c' }).url).toBe('https://api.example.com/v1/a...b%2Fc');
  });
});

describe('the query', () => {
  const search = (more: object, value: unknown) =>
    new URL(request({ query: [{ ...argument('q'), style: 'form', explode: true, ...more }] }, { q: value }).url).search;

  it.each<[string, object, unknown, string]>([
    ['a string', {}, 'a b&c=d', '?q=a%20b%26c%3Dd'],
    ['a number', {}, 1.5, '?q=1.5'],
    ['false', {}, false, '?q=false'],
    ['an empty string', {}, '', '?q='],
    ['nothing for null', {}, null, ''],
    ['a list, once for each', {}, ['a', 'b,c'], '?q=a&q=b%2Cc'],
    ['an empty list as nothing', {}, [], ''],
    ['a list with commas', { explode: false }, ['a', 'b,c'], '?q=a,b%2Cc'],
    ['a list with spaces', { style: 'spaceDelimited', explode: false }, ['a', 'b'], '?q=a%20b'],
    ['a list with pipes', { style: 'pipeDelimited', explode: false }, ['a', 'b'], '?q=a%7Cb'],
    ['an object as parameters of its own', {}, { a: 1, b: null, c: 'x' }, '?a=1&c=x'],
    ['an object with commas', { explode: false }, { a: 1, b: 'x,y' }, '?q=a,1,b,x%2Cy'],
    [
      'a deep object',
      { style: 'deepObject' },
      { a: 1, b: { c: ['x', 'y'] } },
      '?q%5Ba%5D=1&q%5Bb%5D%5Bc%5D%5B%5D=x&q%5Bb%5D%5Bc%5D%5B%5D=y',
    ],
    ['JSON', { style: 'json' }, { a: [1] }, '?q=%7B%22a%22%3A%5B1%5D%7D'],
    ['another name on the wire', { name: 'filter[x]' }, 'a', '?filter%5Bx%5D=a'],
  ])('writes %s', (_, more, value, expected) => {
    expect(search(more, value)).toBe(expected);
  });

  it('lets no object take the name of another parameter', () => {
    const query = [
      { ...argument('filter'), style: 'form' as const, explode: true },
      { ...argument('owner'), style: 'form' as const, explode: true },
    ];
    expect(() => request({ query }, { filter: { owner: 'them' }, owner: 'me' })).toThrow(refused);
  });
});

describe("a credential's name in the query", () => {
  const credential = (name: string) => [[{ scheme: 'key', kind: 'query' as const, name }]];
  const form = (fields: PlannedBody['fields'] = {}): PlannedBody => ({
    mediaType: 'application/x-www-form-urlencoded',
    encoding: 'form',
    required: false,
    from: argument('q'),
    fields,
  });
  const sent = (parts: Partial<OperationPlan>, q: unknown, name: string) =>
    new URL(request({ security: credential(name), ...parts }, { q }).url).search;
  const spread = { q: { style: 'form', explode: true } } as const;
  const deep = { auth: { style: 'deepObject', explode: true } } as const;
  const parameter = (more: Partial<PlannedParameter> = {}) => ({
    query: [{ ...argument('q'), style: 'form' as const, explode: true, ...more }],
  });
  const taken = { api_key: 'attacker' };

  it.each<[string, Partial<OperationPlan>, unknown, string?]>([
    ['a field of the whole query', { querystring: form() }, taken],
    ['a field of the whole query in capitals', { querystring: form() }, { API_KEY: 'attacker' }],
    ['a list in a field of the whole query', { querystring: form() }, { 'api_key[]': ['attacker'] }],
    ['a spread field of the whole query', { querystring: form(spread) }, { q: taken }],
    ['a deep field of the whole query', { querystring: form(deep) }, { auth: { token: 'attacker' } }, 'auth[token]'],
    ['a text that is the whole query', { querystring: { ...form(), encoding: 'text' } }, 'api_key'],
    ['a spread parameter', parameter(), taken],
    ['a spread parameter in capitals', parameter(), { Api_Key: 'attacker' }],
    ['a spread parameter with an index', parameter(), { 'api_key[0]': 'attacker' }],
    ['a spread parameter behind a semicolon', parameter({ allowReserved: true }), { 'x;api_key': 'attacker' }],
    ['a deep parameter', parameter({ name: 'auth', style: 'deepObject' }), { token: 'attacker' }, 'auth[token]'],
    ['a deeper parameter', parameter({ name: 'a', style: 'deepObject' }), { b: { c: 'attacker' } }, 'a[b]'],
    ['a parameter', parameter({ name: 'API_KEY' }), 'attacker'],
  ])('is refused from %s', (_, parts, value, name = 'api_key') => {
    expect(() => sent(parts, value, name)).toThrow(refused);
  });

  it.each<[string, Partial<OperationPlan>, unknown, string]>([
    ['within a name', { querystring: form(spread) }, { q: { my_api_key: 1, api_keys: 2 } }, '?my_api_key=1&api_keys=2'],
    ['of a field that writes other names', { querystring: form({ api_key: spread.q }) }, { api_key: { a: 1 } }, '?a=1'],
    ['as a value', parameter(), { a: 'api_key' }, '?a=api_key'],
    ['within a deep object', parameter({ style: 'deepObject' }), taken, '?q%5Bapi_key%5D=attacker'],
  ])('may stand %s', (_, parts, value, expected) => {
    expect(sent(parts, value, 'api_key')).toBe(expected);
  });

  it('is as little written as that of another parameter', () => {
    const query = [...parameter({ style: 'deepObject' }).query, ...parameter({ name: 'q[x]', argument: 'x' }).query];
    expect(() => sent({ query }, { x: 1 }, 'api_key')).toThrow(refused);
    expect(sent({ query }, { y: 1 }, 'api_key')).toBe('?q%5By%5D=1');
  });
});

describe('headers', () => {
  it('carry arguments that are theirs', () => {
    const { headers } = request({ headers: [{ argument: 'mode', name: 'X-Mode' }] }, { mode: ['a', 1] });
    expect(headers.get('x-mode')).toBe('a,1');
  });

  it.each(['a\r\nauthorization: x', 'a\nb', 'a\u0000', '日本'])('refuse %j', (value) => {
    expect(() => request({ headers: [argument('x-mode')] }, { 'x-mode': value })).toThrow(refused);
  });

  it('of the operator win over arguments and our own', () => {
    const body = { mediaType: 'application/json', encoding: 'json' as const, required: true, from: [] };
    const { headers } = request(
      { headers: [argument('x-mode')], body },
      { 'x-mode': 'mine' },
      { 'X-Mode': 'theirs', Accept: 'application/vnd.x+json', 'content-type': 'application/x+json' },
    );
    expect(Object.fromEntries(headers)).toEqual({
      'x-mode': 'theirs',
      accept: 'application/vnd.x+json',
      'content-type': 'application/x+json',
    });
  });

  it('of the operator stay at home when the target is not trusted', () => {
    expect(request({ trusted: false }, {}, { authorization: 'Bearer secret' }).headers.has('authorization')).toBe(
      false,
    );
  });

  it('never come from a plan that names a forbidden one', () => {
    expect(request({ headers: [argument('authorization')] }, { authorization: 'x' }).headers.has('authorization')).toBe(
      false,
    );
  });
});

describe('cookies', () => {
  const cookie = (name: string, style: 'form' | 'cookie' = 'form') => ({ ...argument(name), style, explode: true });
  const sent = (input: object, headers: Record<string, string> = {}, more: Partial<OperationPlan> = {}) =>
    request({ cookies: [cookie('a'), cookie('b', 'cookie')], ...more }, input, headers).headers.get('cookie');

  it('are encoded, so that none adds another', () => {
    expect(sent({ a: 'x; admin=1' })).toBe('a=x%3B%20admin%3D1');
    expect(sent({ a: 'x', b: 'y' })).toBe('a=x; b=y');
    expect(sent({})).toBeNull();
    for (const b of ['x; admin=1', 'a b', '"', 'ü', { 'admin=1; b': 1 }]) expect(() => sent({ b })).toThrow(refused);
  });

  it("stand beside the operator's, which win", () => {
    expect(sent({ a: 'mine', b: 'y' }, { cookie: 'a=theirs; sid=1' })).toBe('b=y; a=theirs; sid=1');
    expect(sent({ a: 'mine' }, { cookie: 'sid=1' }, { trusted: false })).toBe('a=mine');
    const security = [[{ scheme: 'key', kind: 'cookie' as const, name: 'a' }]];
    expect(sent({ a: 'mine' }, {}, { security })).toBeNull();
    expect(() => sent({ a: { b: 1 } })).toThrow(refused);
    for (const name of ['sid', 'SID', 'sid[x]'])
      expect(() => sent({ a: { [name]: 1 } }, { cookie: 'sid=1' })).toThrow(refused);
    for (const name of ['sid', 'SID', 's%69d'])
      expect(() => sent({ b: { [name]: 1 } }, { cookie: 'sid=1' })).toThrow(refused);
  });
});

describe('the body', () => {
  const body = (more: object, input: unknown) =>
    request(
      {
        method: 'POST',
        body: {
          mediaType: 'application/json',
          encoding: 'json',
          required: true,
          from: [argument('a'), argument('b')],
          ...more,
        },
      },
      input,
    );

  it.each<[string, object, object, string | undefined]>([
    ['the given properties', {}, { a: 1, b: null, c: 'no' }, '{"a":1,"b":null}'],
    ['an empty object when it must be there', {}, {}, '{}'],
    ['nothing when it need not be there', { required: false }, {}, undefined],
    [
      'the names on the wire',
      { from: [{ argument: 'user_name', name: 'user name' }] },
      { user_name: 'x' },
      '{"user name":"x"}',
    ],
    ['one argument as a whole', { from: argument('body') }, { body: [1, { x: null }] }, '[1,{"x":null}]'],
    ['null as a whole', { from: argument('body') }, { body: null }, 'null'],
    ['nothing for an absent whole', { from: argument('body') }, {}, undefined],
    ['text as it is', { from: argument('body'), encoding: 'text' }, { body: 'a "b"' }, 'a "b"'],
    ['a form', { encoding: 'form' }, { a: 'x y', b: [1, 2] }, 'a=x%20y&b=1&b=2'],
    [
      'a form with deep objects',
      { encoding: 'form', fields: { b: { style: 'deepObject', explode: true } } },
      { a: 'x y', b: { c: [1, 2], d: null } },
      'a=x%20y&b%5Bc%5D%5B%5D=1&b%5Bc%5D%5B%5D=2',
    ],
  ])('holds %s', (_, more, input, expected) => {
    const { body: sent, headers } = body(more, input);
    expect(sent).toBe(expected);
    expect(headers.has('content-type')).toBe(expected !== undefined);
  });

  it('does not reach a prototype', () => {
    const { body: sent } = body({ from: [argument('__proto__')] }, JSON.parse('{"__proto__":{"x":1}}'));
    expect(sent).toBe('{"__proto__":{"x":1}}');
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });
});

it.each([[null], [[]], ['x'], [undefined]])('refuses %j as arguments', (input) => {
  expect(() => request({}, input)).toThrow(refused);
});

describe('whatever the arguments are', () => {
  const hostile = fc.constantFrom(
    '',
    '.',
    '..',
    '../..',
    'a/../b',
    '%2e%2e',
    '%2e%2e%2f',
    '//evil.example',
    '\\\\evil.example',
    '@evil.example',
    ':80',
    '?x=1',
    '#f',
    'https://evil.example',
    'a\r\nauthorization: x',
    '\u0000',
    '\ud800',
    '__proto__',
    'x'.repeat(5000),
  );
  const units = fc.array(fc.integer({ min: 0, max: 0xffff })).map((codes) => String.fromCharCode(...codes));
  const text = fc.oneof(hostile, fc.string({ unit: 'binary' }), units);
  const value = fc.oneof(text, fc.array(text), fc.dictionary(text, text), fc.jsonValue());
  const full = plan({
    method: 'POST',
    segments: [['pets'], [argument('id')], [argument('base'), '...', argument('head')], []],
    query: (['form', 'deepObject', 'pipeDelimited', 'json'] as const).map((style, index) => ({
      ...argument(`q${index}`),
      style,
      explode: index !== 2,
    })),
    headers: [argument('x-mode'), argument('host'), argument('proxy-x')],
    body: { mediaType: 'application/json', encoding: 'json', required: false, from: [argument('a')] },
  });
  const names = [
    'id',
    'base',
    'head',
    'q0',
    'q1',
    'q2',
    'q3',
    'c0',
    'c1',
    'x-mode',
    'host',
    'proxy-x',
    'authorization',
    'a',
  ];
  const anything = fc
    .tuple(
      fc.record(Object.fromEntries(names.map((name) => [name, value])), { requiredKeys: ['id', 'base', 'head'] }),
      fc.dictionary(text, value),
    )
    .map(([known, other]) => ({ ...other, ...known }));
  const texts = fc.record(Object.fromEntries(names.map((name) => [name, text])));
  const allowed = new Set(['accept', 'content-type', 'authorization', 'x-mode']);

  it('the request keeps its origin and segments, and no forbidden header is set', () => {
    let [sent, runs] = [0, 0];
    fc.assert(
      fc.property(fc.oneof(anything, texts), (input) => {
        runs += 1;
        let built;
        try {
          built = operationRequest(full, input, new Headers({ authorization: 'Bearer operator' }));
        } catch (error) {
          expect(error).toEqual(refused);
          return;
        }
        sent += 1;
        const url = new URL(built.url);
        expect(url.origin).toBe('https://api.example.com');
        expect(url.username + url.password + url.hash).toBe('');
        expect(url.pathname.split('/')).toHaveLength(6);
        expect(url.pathname).toMatch(/^\/v1\/pets\/[^/]+\/[^/]+\/$/);
        expect(decodeURIComponent(url.pathname).split(/[/\\]/)).not.toContain('..');
        expect(built.headers.get('authorization')).toBe('Bearer operator');
        for (const [name] of built.headers) expect(allowed).toContain(name);
      }),
      { numRuns: 2000 },
    );
    expect(sent / runs).toBeGreaterThan(0.05);
  });

  it('a cookie adds no other cookie, and none of the operator is replaced', () => {
    const cookies = [
      { ...argument('c0'), style: 'form' as const, explode: true },
      { ...argument('c1'), style: 'cookie' as const, explode: true },
    ];
    let sent = 0;
    fc.assert(
      fc.property(fc.record({ c0: value, c1: value }, { requiredKeys: [] }), (input) => {
        let cookie;
        try {
          ({ headers: cookie } = request({ cookies }, input, { cookie: 'sid=1' }));
        } catch (error) {
          expect(error).toEqual(refused);
          return;
        }
        const names = (cookie.get('cookie') ?? '').split('; ').map((pair) => pair.split('=', 1)[0]);
        sent += names.length - 1;
        expect(cookie.get('cookie')).toMatch(/^[\x21-\x7e]+(; [\x21-\x7e]+)*$/);
        expect(names.filter((name) => name === 'sid')).toHaveLength(1);
      }),
      { numRuns: 2000 },
    );
    expect(sent).toBeGreaterThan(50);
  });

  it('forbidden headers are recognised in any case', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('Authorization', 'COOKIE', 'hOST', 'Proxy-Anything', 'sec-x', 'Transfer-Encoding'),
        fc.boolean(),
        (name, upper) => {
          expect(isForbiddenHeader(upper ? name.toUpperCase() : name.toLowerCase())).toBe(true);
        },
      ),
    );
    expect(isForbiddenHeader('x-request-id')).toBe(false);
  });
});
