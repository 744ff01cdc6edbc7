import { depthOf } from '@tool-search/core/internal';
import { foldTag, mapOperation, type MappingTarget } from './operation.mapper.js';
import { configuredTool, type ToolSettings } from './configured-tools.js';

const target: MappingTarget = {
  server: 'https://api.example.com/v1',
  provided: new Set(),
  about: '',
  schemaBytes: 65_536,
  schemaDepth: 32,
};

interface Site {
  readonly method?: string;
  readonly path?: string;
  readonly item?: object;
  readonly components?: object;
  readonly target?: Partial<MappingTarget>;
  readonly settings?: Partial<ToolSettings>;
}

const settings: ToolSettings = {
  providedCookies: new Set(),
  providedHeaders: new Set(),
  tags: [],
  watched: false,
  serverFault: () => undefined,
  loadingOf: () => undefined,
  sideEffectsOf: () => undefined,
  examplesOf: () => undefined,
};

const map = (operation: object, { method = 'GET', path = '/pets', item = {}, components = {}, ...rest }: Site = {}) => {
  const site = { method, path, pathItem: { ...item }, operation: { ...operation } };
  const { origin, lost, changes } = mapOperation({ components }, site, 'tool', { ...target, ...rest.target });
  return { ...configuredTool(origin, { ...settings, ...rest.settings }), origin, lost, changes };
};
const inputOf = (operation: object, site: Site = {}) => map(operation, site).declaration.inputSchema;
const propertiesOf = (operation: object, site: Site = {}) =>
  Object.keys(inputOf(operation, site)?.['properties'] as object);
const query = (name: string, more: object = {}) => ({ name, in: 'query', schema: { type: 'string' }, ...more });
const post = (schema: object, more: object = {}) => ({
  requestBody: { required: true, content: { 'application/json': { schema } }, ...more },
});
const refused = expect.objectContaining({ code: 'INVALID_TOOL' });

describe('the declaration', () => {
  it.each<[string, string]>([
    ['GET', 'read'],
    ['HEAD', 'read'],
    ['QUERY', 'read'],
    ['COPY', 'write'],
    ['POST', 'write'],
    ['PUT', 'write'],
    ['PATCH', 'write'],
    ['DELETE', 'write'],
  ])('%s has the side effect "%s"', (method, sideEffects) => {
    expect(map({}, { method }).declaration).toMatchObject({ sideEffects, extra: { method, path: '/pets' } });
  });

  it.each([
    ['summary and description', { summary: 'List pets', description: 'All of them.' }, 'List pets\nAll of them.'],
    [
      'a summary that the description repeats, once',
      { summary: 'list pets', description: 'List pets of a shop.' },
      'List pets of a shop.',
    ],
    ['a summary alone', { summary: 'List pets' }, 'List pets'],
    ['method and path where nothing is said', {}, 'GET /pets'],
    ['quotes and back-ticks as they are', { summary: '`"; rm -rf / ${x}' }, '`"; rm -rf / ${x}'],
  ])('describes by %s', (_, operation, expected) => {
    expect(map(operation).declaration.description).toBe(expected);
  });

  it('keeps a description to 1,000 characters', () => {
    const { description } = map({ summary: 'x', description: 'word '.repeat(500) }).declaration;
    expect(description).toMatch(/^x\nword .* word…$/);
    expect(description.length).toBeLessThanOrEqual(1000);
  });

  it('folds tags and carries deprecation', () => {
    const { tags, deprecated } = map({
      tags: ['Code Scanning', 'code-scanning', ' ', 1, 'x'.repeat(100)],
      deprecated: true,
    }).declaration;
    expect(tags).toEqual(['code-scanning', 'x'.repeat(64)]);
    expect(deprecated).toEqual({});
    expect(map({}).declaration).not.toHaveProperty('deprecated');
    const ending = (sunset: unknown) => map({ deprecated: true, 'x-sunset': sunset }).declaration.deprecated;
    expect(ending('2027-01-01')).toEqual({ sunset: '2027-01-01' });
    expect(ending('2027-01-01T10:00:00Z')).toEqual({ sunset: '2027-01-01T10:00:00Z' });
    for (const other of ['soon', '2027-13-45', 7, '']) expect(ending(other)).toEqual({});
    expect(map({ 'x-sunset': '2027-01-01' }).declaration).not.toHaveProperty('deprecated');
    expect(foldTag(' Pull  Requests ')).toBe('pull-requests');
  });
});

describe('arguments from parameters', () => {
  it('are one flat object: path, query, headers, body', () => {
    const operation = {
      parameters: [
        { name: 'X-Mode', in: 'header', schema: { type: 'string' } },
        query('page', { description: 'Which page.', schema: { type: 'integer' }, required: true }),
        { name: 'id', in: 'path', schema: { type: 'string' } },
      ],
      ...post({
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string' }, age: { type: 'integer' } },
      }),
    };
    expect(inputOf(operation, { method: 'PUT', path: '/pets/{id}' })).toEqual({
      type: 'object',
      properties: {
        id: { type: 'string' },
        page: { type: 'integer', description: 'Which page.' },
        'X-Mode': { type: 'string' },
        name: { type: 'string' },
        age: { type: 'integer' },
      },
      required: ['id', 'page', 'name'],
      additionalProperties: false,
    });
  });

  it('hold what all operations of a path share, unless the operation says otherwise', () => {
    const item = { parameters: [query('page'), query('size')] };
    expect(inputOf({ parameters: [query('page', { required: true })] }, { item })).toMatchObject({
      properties: { page: {}, size: {} },
      required: ['page'],
    });
  });

  it('follow references to components', () => {
    const components = {
      parameters: { Page: query('page', { schema: { $ref: '#/components/schemas/Page' }, description: 'P.' }) },
      schemas: { Page: { type: 'integer', description: 'x' } },
    };
    expect(inputOf({ parameters: [{ $ref: '#/components/parameters/Page' }] }, { components })).toMatchObject({
      properties: { page: { type: 'integer', description: 'P.' } },
    });
  });

  it('carry example and deprecation of the parameter', () => {
    expect(inputOf({ parameters: [query('a', { example: 'x', deprecated: true })] })).toMatchObject({
      properties: { a: { type: 'string', examples: ['x'], deprecated: true } },
    });
  });

  it.each([
    'Authorization',
    'cookie',
    'Set-Cookie',
    'Host',
    'Content-Length',
    'Content-Type',
    'Accept',
    'Connection',
    'Keep-Alive',
    'TE',
    'Trailer',
    'Transfer-Encoding',
    'Upgrade',
    'Proxy-Authorization',
    'Proxy-Foo',
    'Sec-Fetch-Mode',
    'X-Forwarded-For',
    'Forwarded',
    'X-HTTP-Method-Override',
    'Bad Name',
    'X\r\nY',
  ])('never include the header %s, required or not', (name) => {
    const operation = { parameters: [{ name, in: 'header', required: true, schema: { type: 'string' } }] };
    expect(inputOf(operation)).toEqual({ type: 'object', properties: {}, additionalProperties: false });
    expect(map(operation).plan.headers).toEqual([]);
  });

  it('include cookies, but none that the operator or a security scheme sends', () => {
    const operation = { parameters: [{ name: 'theme', in: 'cookie', required: true, schema: {} }] };
    expect(map(operation).plan.cookies).toEqual([{ argument: 'theme', name: 'theme', style: 'form', explode: true }]);
    expect(inputOf(operation)).toMatchObject({ required: ['theme'] });
    const own = { settings: { providedCookies: new Set(['theme']) } };
    expect(propertiesOf(operation, own)).toEqual([]);
    expect(map(operation, own).plan.cookies).toEqual([]);
    expect(propertiesOf(operation, { target: { provided: new Set(['cookie theme']) } })).toEqual([]);
  });

  it('tell which parameters are not offered, except those that OpenAPI takes from elsewhere', () => {
    const parameter = (place: string, name: string) => ({ name, in: place, required: true, schema: {} });
    expect(map({ parameters: [parameter('header', 'X-Forwarded-For')] }).changes).toEqual([
      'a parameter that controls the connection or identifies the client is not offered',
    ]);
    expect(map({ parameters: [parameter('path', 'other')] }).changes).toEqual([
      'a parameter that its path does not have is not offered',
    ]);
    expect(map({ parameters: [parameter('formData', 'x')] }).changes).toEqual([
      'a parameter that has no known place is not offered',
    ]);
    expect(
      map({ parameters: ['Accept', 'Authorization', 'Content-Type'].map((name) => parameter('header', name)) }).changes,
    ).toEqual([]);
  });

  it('never include what the operator or a security scheme provides', () => {
    const parameters = [
      query('api_key'),
      query('page'),
      { name: 'X-Version', in: 'header', schema: {} },
      query('x-version'),
    ];
    const provided = new Set(['query api_key', 'header x-version']);
    expect(propertiesOf({ parameters }, { target: { provided } })).toEqual(['page', 'x-version']);
  });

  it('have names that providers accept, and keep the name on the wire', () => {
    const { declaration, plan } = map({
      parameters: [query('filter[status]'), query('$top'), query('__proto__')],
    });
    expect(Object.keys(declaration.inputSchema?.['properties'] as object)).toEqual([
      'filter_status',
      'top',
      'query___proto__',
    ]);
    expect(plan.query.map(({ name }) => name)).toEqual(['filter[status]', '$top', '__proto__']);
  });

  it('say where they go when two have the same name', () => {
    const path = '/pets/{id}';
    expect(propertiesOf({ parameters: [query('id')] }, { path })).toEqual(['id', 'query_id']);
    const header = { name: 'id', in: 'header', schema: {} };
    const cookie = { name: 'id', in: 'cookie', schema: {} };
    expect(propertiesOf({ parameters: [query('id'), header, cookie] }, { path })).toEqual([
      'id',
      'query_id',
      'header_id',
      'cookie_id',
    ]);
  });

  it.each<[string, string[], (string | RegExp)[]]>([
    ['signs', ['StartTime', 'StartTime<', 'StartTime>'], ['StartTime', 'StartTime_lt', 'StartTime_gt']],
    ['a sign alone', ['StartTime<'], ['StartTime_lt']],
    ['other signs', ['a=', 'a!', 'a>='], ['a_eq', 'a_not', 'a_gt_eq']],
    ['signs without a word', ['a+', 'a-b', 'a*'], [/^a_[0-9a-f]{8}$/, 'a-b', /^a_[0-9a-f]{8}$/]],
    ['other scripts', ['日付', '名前'], [/^arg_[0-9a-f]{8}$/, /^arg_[0-9a-f]{8}$/]],
    ['accents', ['état', 'etat'], [/^etat_[0-9a-f]{8}$/, 'etat']],
    ['brackets', ['id', 'id[]', 'id[gte]'], ['id', /^id_[0-9a-f]{8}$/, 'id_gte']],
    ['what a place would make of a name', ['query_id', 'id[]', 'id'], ['query_id', /^id_[0-9a-f]{8}$/, 'id']],
    ['length', ['x'.repeat(70), `${'x'.repeat(70)}y`], [/^x{55}_[0-9a-f]{8}$/, /^x{55}_[0-9a-f]{8}$/]],
  ])('can be told apart by %s, and are sent under their own names', (_, names, expected) => {
    const { plan, declaration } = map({ parameters: names.map((name) => query(name)) });
    expect(plan.query.map(({ name }) => name)).toEqual(names);
    const shown = plan.query.map(({ argument }) => argument);
    expect(Object.keys(declaration.inputSchema?.['properties'] as object)).toEqual(shown);
    expect(new Set(shown).size).toBe(names.length);
    for (const [index, argument] of shown.entries()) {
      const pattern = expected[index] ?? '';
      expect(argument).toMatch(pattern instanceof RegExp ? pattern : new RegExp(`^${pattern}$`));
    }
  });

  it('keep a name of other letters as a title', () => {
    expect(inputOf({ parameters: [query('日付', { description: 'Der Tag.' })] })).toMatchObject({
      properties: { arg: { title: '日付', description: 'Der Tag.' } },
    });
  });

  it('include placeholders that nobody described, and leave out path parameters that the path does not have', () => {
    expect(inputOf({ parameters: [{ name: 'other', in: 'path', schema: {} }] }, { path: '/pets/{id}' })).toMatchObject({
      properties: { id: { type: 'string' } },
      required: ['id'],
    });
  });

  it.each([
    ['a parameter without a name', { parameters: [{ in: 'query' }] }, {}],
    ['a parameter outside the document', { parameters: [{ $ref: 'https://example.com/p.json' }] }, {}],
    ['a schema outside the document', { parameters: [query('a', { schema: { $ref: 'other.yaml#/A' } })] }, {}],
    [
      'a deep object in the path',
      { parameters: [{ name: 'id', in: 'path', style: 'deepObject', schema: {} }] },
      { path: '/pets/{id}' },
    ],
    ['an unknown style', { parameters: [query('a', { style: 'label' })] }, {}],
    ['a path with a query', {}, { path: '/pets?a=1' }],
    ['a path with a fragment', {}, { path: '/pets#a' }],
    ['a path that walks up', {}, { path: '/pets/../admin' }],
    ['a path that walks up in disguise', {}, { path: '/pets/%2e%2e/admin' }],
    ['a path with a backslash', {}, { path: '/pets\\admin' }],
    ['a path with an open brace', {}, { path: '/pets/{id' }],
  ])('refuse an operation with %s', (_, operation, site) => {
    expect(() => map(operation, site)).toThrow(refused);
  });
});

describe('arguments from the body', () => {
  const method = 'POST';
  const bodyOf = (operation: object, site: Site = {}) => map(operation, { method, ...site }).plan.body;
  const name = { type: 'string' };

  it('merge all parts of an object', () => {
    const components = { schemas: { Base: { type: 'object', required: ['name'], properties: { name } } } };
    const schema = {
      allOf: [{ $ref: '#/components/schemas/Base' }, { properties: { age: {} } }, { description: 'x' }],
      required: ['age'],
    };
    expect(inputOf(post(schema), { method, components })).toMatchObject({
      properties: { name, age: {} },
      required: ['name', 'age'],
    });
  });

  it('leave alternatives among the same properties to the API', () => {
    const schema = {
      type: 'object',
      properties: { a: {}, b: {} },
      oneOf: [{ required: ['a'] }, { required: ['b'], properties: { b: name } }],
    };
    expect(inputOf(post(schema), { method })).toEqual({
      type: 'object',
      properties: { a: {}, b: {} },
      additionalProperties: false,
    });
  });

  it.each<[string, object]>([
    ['is a list', { type: 'array', items: name }],
    ['is a map', { type: 'object', additionalProperties: name }],
    ['is open', { type: 'object', properties: { a: {} }, additionalProperties: true }],
    ['offers other properties', { properties: { a: {} }, oneOf: [{ properties: { b: {} } }] }],
    ['describes one property twice', { allOf: [{ properties: { a: {} } }, { properties: { a: name } }] }],
    ['is a choice', { oneOf: [{ type: 'string' }, { type: 'object', properties: { a: {} } }] }],
    ['clashes with a parameter', { properties: { id: {} } }],
    ['has names that meet in one', { properties: { 'a b': {}, a_b: {} } }],
  ])('are one argument when the body %s', (_, schema) => {
    const site = { method: 'POST' as const, path: '/pets/{id}' };
    expect(inputOf(post(schema, { description: 'The pet.' }), site)).toMatchObject({
      properties: { body: { description: 'The pet.' } },
      required: ['id', 'body'],
    });
    expect(bodyOf(post(schema), site)?.from).toEqual({ argument: 'body', name: 'body' });
  });

  it('find another name when "body" is taken', () => {
    expect(propertiesOf({ parameters: [query('body')], ...post({ type: 'array' }) }, { method })).toEqual([
      'body',
      'request_body',
    ]);
  });

  it('are required only when the body is, and never when only the API may set them', () => {
    const schema = { properties: { id: { readOnly: true }, name }, required: ['id', 'name'] };
    expect(inputOf(post(schema), { method })).toMatchObject({ properties: { name }, required: ['name'] });
    expect(inputOf(post(schema, { required: false }), { method })).toEqual({
      type: 'object',
      properties: { name },
      additionalProperties: false,
    });
    expect(bodyOf(post(schema, { required: false }))?.required).toBe(false);
  });

  it('have names that providers accept', () => {
    expect(bodyOf(post({ properties: { 'user name': name, constructor: name } }))?.from).toEqual([
      { argument: 'user_name', name: 'user name' },
      { argument: 'body_constructor', name: 'constructor' },
    ]);
  });

  it.each([
    [
      'JSON before anything else',
      ['text/plain', 'application/x-www-form-urlencoded', 'application/json'],
      'application/json',
      'json',
    ],
    ['a JSON dialect', ['application/merge-patch+json'], 'application/merge-patch+json', 'json'],
    ['JSON with a charset', ['application/json; charset=utf-8'], 'application/json; charset=utf-8', 'json'],
    ['anything as JSON', ['*/*'], 'application/json', 'json'],
    [
      'a form',
      ['multipart/form-data', 'application/x-www-form-urlencoded'],
      'application/x-www-form-urlencoded',
      'form',
    ],
    ['text', ['text/plain', 'text/x-markdown'], 'text/plain', 'text'],
  ])('are sent as %s', (_, types, mediaType, encoding) => {
    const content = Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' } }]));
    expect(bodyOf({ requestBody: { content } })).toMatchObject({ mediaType, encoding });
  });

  it('refuse a required body that cannot be sent, and tell of an optional one that is left out', () => {
    const content = { 'application/zip': {} };
    expect(() => bodyOf({ requestBody: { required: true, content } })).toThrow(refused);
    expect(bodyOf({ requestBody: { content } })).toBeUndefined();
    expect(map({ requestBody: { content } }, { method }).changes).toEqual([
      'its optional body is not offered: it is neither JSON nor a form nor text (application/zip)',
    ]);
    expect(() => bodyOf({ requestBody: { $ref: '#/components/requestBodies/Missing' } })).toThrow(refused);
  });

  it.each(['application/json;\r\nx', 'application/json\n', 'text/plain; a=\u0001', 'application/json; a=ü'])(
    'are not sent as %j, which no header can hold',
    (type) => {
      const content = { [type]: { schema: { type: 'string' } } };
      expect(() => bodyOf({ requestBody: { required: true, content } })).toThrow(refused);
      expect(map({ requestBody: { content } }, { method }).changes).toEqual([
        'its optional body is not offered: it has a media type that is malformed',
      ]);
      const other = { ...content, 'text/plain; profile="a b"': {} };
      expect(bodyOf({ requestBody: { required: true, content: other } })?.mediaType).toBe('text/plain; profile="a b"');
    },
  );

  it.each([
    ['text/plain; charset=utf-8', 'text/plain; charset=utf-8'],
    ['text/csv, text/plain', 'text/csv'],
    ['text/plain;\r\nX-Injected: 1', undefined],
    ['text/plain\r\n\r\n;a=b', undefined],
    ['text/plain;a=b\n;c=d', undefined],
    ['image/*', undefined],
  ])('have parts of the type %j only where no line break adds to it', (contentType, mediaType) => {
    const media = { schema: { properties: { note: { type: 'string' } } }, encoding: { note: { contentType } } };
    const body = bodyOf({ requestBody: { content: { 'multipart/form-data': media } } });
    expect(body?.fields).toEqual(mediaType === undefined ? undefined : { note: { mediaType } });
  });

  it.each(['GET', 'HEAD'])('do not exist for %s: an optional body is left out, a required one refused', (never) => {
    const optional = post({ properties: { name } }, { required: false });
    expect(map(optional, { method: never }).plan.body).toBeUndefined();
    expect(propertiesOf(optional, { method: never })).toEqual([]);
    expect(map(optional, { method: never }).changes).toEqual([`its optional body is not offered: ${never} has none`]);
    expect(() => map(post({ properties: { name } }), { method: never })).toThrow(refused);
    expect(map(post({ properties: {} }, { required: false }), { method: never }).changes).toEqual([]);
  });

  it('offer a multipart form without its files, unless one is required', () => {
    const file = { type: 'string', format: 'binary' };
    const form = (schema: object, more: object = {}) => ({
      requestBody: { content: { 'multipart/form-data': { schema, ...more } }, required: true },
    });
    const { declaration, changes, plan } = map(form({ properties: { name, photo: file, photos: { items: file } } }), {
      method,
    });
    expect(Object.keys(declaration.inputSchema?.['properties'] as object)).toEqual(['name']);
    expect(plan.body).toMatchObject({ encoding: 'multipart', from: [{ argument: 'name', name: 'name' }] });
    expect(changes).toEqual(['files of its form cannot be sent, so it is offered without them']);
    const required = form({ properties: { name, photo: file }, required: ['photo'] });
    expect(() => map(required, { method })).toThrow(refused);
    for (const schema of [
      { properties: { data: file } },
      { properties: { data: { contentMediaType: 'image/png' } } },
      { properties: { data: { type: 'string' } } },
    ]) {
      const encoding = { data: { contentType: 'image/png' } };
      expect(() => map(form(schema, { encoding }), { method })).toThrow(refused);
    }
    expect(map(form({ properties: { data: { type: 'string', format: 'byte' } } }), { method }).changes).toEqual([]);
  });

  it('are one text where the type is text, whatever the schema describes', () => {
    const operation = (schema: object) => ({ requestBody: { content: { 'application/xml': { schema } } } });
    const xml = { type: 'object', properties: { a: {} }, required: ['a'] };
    expect(inputOf(operation(xml), { method })).toMatchObject({
      properties: { body: { type: 'string', description: 'The body as text of the type application/xml.' } },
    });
    expect(inputOf(operation({ type: 'string', maxLength: 9 }), { method })).toMatchObject({
      properties: { body: { type: 'string', maxLength: 9 } },
    });
  });

  it('of subtypes are compared up to a limit, in any order of keywords', () => {
    const Pet = { type: 'object', discriminator: 'kind', properties: { kind: {} } };
    const part = (properties: object) => ({ allOf: [{ $ref: '#/components/schemas/Pet' }, { properties }] });
    const long = () => ({ enum: Array.from({ length: 300 }, (_, at) => at) });
    const components = {
      schemas: {
        Pet,
        Cat: part({ size: { type: 'integer', minimum: 1 }, age: long() }),
        Dog: part({ size: { minimum: 1, type: 'integer' }, age: long() }),
      },
    };
    const { properties } = inputOf(post({ $ref: '#/components/schemas/Pet' }), { method, components }) as {
      properties: object;
    };
    expect(properties).toMatchObject({ size: { type: 'integer', minimum: 1 }, age: { anyOf: [long(), long()] } });
  });

  it('include those of subtypes that only a discriminator names', () => {
    const extending = (properties: object, base = 'Pet') => ({
      allOf: [
        { $ref: `#/components/schemas/${base}` },
        { type: 'object', properties, required: Object.keys(properties) },
      ],
    });
    const components = {
      schemas: {
        Pet: {
          type: 'object',
          discriminator: 'kind',
          properties: { kind: { type: 'string', description: 'Which one.' }, name },
          required: ['kind'],
        },
        Cat: extending({ claws: { type: 'integer' }, size: { type: 'integer' } }),
        Kitten: extending({ age: { type: 'integer' } }, 'Cat'),
        Dog: { ...extending({ size: { type: 'string' } }), 'x-ms-discriminator-value': 'dog' },
      },
    };
    expect(inputOf(post({ $ref: '#/components/schemas/Pet' }), { method, components })).toEqual({
      type: 'object',
      properties: {
        kind: { type: 'string', description: 'Which one. Known values: Cat, dog, Kitten.' },
        name,
        claws: { type: 'integer' },
        size: { anyOf: [{ type: 'integer' }, { type: 'string' }] },
        age: { type: 'integer' },
      },
      required: ['kind'],
      additionalProperties: false,
    });
    const wrapped = { allOf: [{ $ref: '#/components/schemas/Pet' }], description: 'Which pet.' };
    expect(propertiesOf(post(wrapped), { method, components })).toContain('claws');
    expect(propertiesOf(post({ $ref: '#/components/schemas/Kitten' }), { method, components })).toEqual([
      'kind',
      'name',
      'claws',
      'size',
      'age',
    ]);
  });
});

describe('bounds of one tool', () => {
  const S = { type: 'object', properties: { a: { $ref: '#/components/schemas/S' } } };
  const wide = (levels: number): object =>
    levels === 0
      ? { type: 'string', description: 'd'.repeat(50) }
      : { type: 'object', properties: Object.fromEntries('abcdef'.split('').map((key) => [key, wide(levels - 1)])) };

  it('report what a recursive schema lost', () => {
    expect(
      map(post({ type: 'array', items: { $ref: '#/components/schemas/S' } }), {
        method: 'POST',
        components: { schemas: { S } },
      }).lost,
    ).toBe(1);
    expect(map({}).lost).toBe(0);
  });

  it('cut the deepest details first, so that every argument stays described', () => {
    const { declaration, lost } = map(
      post({ properties: { first: wide(6), last: { type: 'string', minLength: 2 } } }),
      { method: 'POST' },
    );
    expect(JSON.stringify(declaration.inputSchema).length).toBeLessThanOrEqual(65_536);
    expect(lost).toBeGreaterThan(0);
    expect(declaration.inputSchema?.['properties']).toMatchObject({ last: { type: 'string', minLength: 2 } });
  });

  it('stay within the limits the source was given', () => {
    const { declaration } = map(post({ properties: { first: wide(3) } }), {
      method: 'POST',
      target: { schemaBytes: 2000, schemaDepth: 12 },
    });
    expect(JSON.stringify(declaration.inputSchema).length).toBeLessThanOrEqual(2000);
    expect(depthOf(declaration.inputSchema, 100)).toBeLessThanOrEqual(12);
  });

  it('refuse what does not fit even so', () => {
    const many = Object.fromEntries(
      Array.from({ length: 1000 }, (_, i) => [`p${i}`, { description: 'd'.repeat(100) }]),
    );
    expect(() => map(post({ properties: many }), { method: 'POST' })).toThrow(refused);
  });
});

describe('the target of calls', () => {
  const own = { servers: [{ url: 'https://uploads.example.com' }] };

  it('is the base URL of the source', () => {
    expect(map({}).plan).toMatchObject({ baseUrl: 'https://api.example.com/v1', trusted: true });
  });

  it('is the server of the operation or its path, which gets no credentials on another origin', () => {
    expect(map(own).plan).toMatchObject({ baseUrl: 'https://uploads.example.com', trusted: false });
    expect(map({}, { item: own }).plan).toMatchObject({ baseUrl: 'https://uploads.example.com', trusted: false });
    expect(map({ servers: [{ url: '/v2' }] }).plan).toMatchObject({
      baseUrl: 'https://api.example.com/v2',
      trusted: true,
    });
  });

  it('is only the base URL that the operator chose', () => {
    expect(map(own, { settings: { baseUrl: 'https://api.example.com/v1' } }).plan).toMatchObject({
      baseUrl: 'https://api.example.com/v1',
      trusted: true,
    });
  });

  it('encodes the literal parts of a path once', () => {
    expect(map({}, { path: '/a%20b/ü:x/{id}...{end}/' }).plan.segments).toEqual([
      ['a%20b'],
      ['%C3%BC:x'],
      [{ argument: 'id', name: 'id' }, '...', { argument: 'end', name: 'end' }],
      [],
    ]);
  });
});
