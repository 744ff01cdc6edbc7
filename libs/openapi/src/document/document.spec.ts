import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { operationSites } from './document.js';
import { Secrets } from '@tool-search/core/source';
import { atOnce } from '@tool-search/core/internal';
import { cleanDocument } from './clean-document.js';
import { DocumentReader } from './document-reader.js';
import { follow, lookUp } from './document-references.js';

const minimal = { openapi: '3.1.0', info: { title: 'Pets', version: '1' }, paths: {} };
const { signal } = new AbortController();
const read = (from: string | object, maxBytes = 10_000, abort = signal) =>
  new DocumentReader(from, maxBytes, [], new Secrets()).read(abort, false);
const error = (code: string) => expect.objectContaining({ name: 'ToolSearchError', code });

describe('reading a document', () => {
  let folder: string;
  const file = async (name: string, text: string | Uint8Array) => {
    const path = join(folder, name);
    await writeFile(path, text);
    return path;
  };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'openapi-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('reads JSON, with a byte order mark or without', async () => {
    expect(await read(await file('a.json', JSON.stringify(minimal)))).toEqual(minimal);
    expect(await read(await file('b.json', `\ufeff${JSON.stringify(minimal)}`))).toEqual(minimal);
  });

  it('reads YAML from a file of any name', async () => {
    const path = await file('a.txt', 'openapi: 3.0\npaths:\n  /a: &item\n    get: {}\n  /b:\n    <<: *item\n');
    expect(await read(path)).toEqual({ openapi: 3, paths: { '/a': { get: {} }, '/b': { get: {} } } });
  });

  it('takes a document as an object', async () => {
    expect(await read(minimal)).toBe(minimal);
  });

  it.each([
    ['Swagger 1', '{"swagger":"1.2","paths":{}}'],
    ['another version', '{"openapi":"4.0.0","paths":{}}'],
    ['no version', '{"paths":{}}'],
    ['no paths', '{"openapi":"3.1.0"}'],
    ['paths that are a list', '{"openapi":"3.1.0","paths":[]}'],
    ['a list', '[]'],
    ['nothing', ''],
    ['broken JSON', '{"openapi":"3.1.0",'],
    ['broken YAML', 'openapi: "3.1'],
    ['JSON nested beyond measure', '['.repeat(9_000)],
    [
      'a file of aliases that multiply',
      `a: &a [x]\n${['b', 'c', 'd', 'e'].map((name, i) => `${name}: &${name} [${`*${'abcd'[i]},`.repeat(9)}]`).join('\n')}\nopenapi: 3.1.0\npaths: {x: *e}`,
    ],
  ])('refuses %s', async (name, text) => {
    await expect(read(await file('bad', text))).rejects.toEqual(error('UPSTREAM_INVALID'));
    expect(name).toBeTruthy();
  });

  it('refuses a file beyond its bound and takes one at it', async () => {
    const text = JSON.stringify(minimal);
    const path = await file('big.json', text);
    await expect(read(path, text.length - 1)).rejects.toEqual(error('SOURCE_LIMIT'));
    expect(await read(path, text.length)).toEqual(minimal);
  });

  it('reads a file that is compressed with gzip; its bound counts uncompressed bytes', async () => {
    const text = JSON.stringify(minimal);
    const path = await file('small.json.gz', gzipSync(text));
    expect(await read(path, text.length)).toEqual(minimal);
    await expect(read(path, text.length - 1)).rejects.toEqual(error('SOURCE_LIMIT'));
    const bomb = await file('bomb.json.gz', gzipSync(Buffer.alloc(50_000_000)));
    await expect(read(bomb, 100_000)).rejects.toEqual(error('SOURCE_LIMIT'));
    const plain = await file('plain.json.gz', text);
    await expect(read(plain, text.length)).rejects.toEqual(error('SOURCE_UNAVAILABLE'));
    const cut = await file('cut.json.gz', gzipSync(text).subarray(0, -12));
    await expect(read(cut, text.length)).rejects.toEqual(error('SOURCE_UNAVAILABLE'));
  });

  it('reads no further than its bound, even from a file without an end', async () => {
    await expect(read('/dev/zero')).rejects.toEqual(error('SOURCE_LIMIT'));
  });

  it.each(['no-such-file.json', '.'])('says that %s cannot be read', async (name) => {
    await expect(read(join(folder, name))).rejects.toEqual(error('SOURCE_UNAVAILABLE'));
  });

  it('gives up with the reason of its signal', async () => {
    const reason = new Error('enough');
    const path = await file('c.json', JSON.stringify(minimal));
    await expect(read(path, 10_000, AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});

describe('operationSites', () => {
  it('lists the operations of every path and leaves extensions alone, and refuses OPTIONS and TRACE', () => {
    const refused: string[] = [];
    const paths = {
      '/a': { get: {}, post: {}, options: {}, trace: {}, summary: 'x' },
      '/b': { $ref: '#/components/pathItems/B' },
      '/c': { $ref: 'https://example.com/c.json' },
      '/d': null,
      'x-internal': { get: {} },
    };
    const components = { pathItems: { B: { delete: {} } } };
    const sites = atOnce(operationSites({ paths, components }, (path) => refused.push(path)));
    expect(sites.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /a', 'POST /a', 'DELETE /b']);
    expect(refused).toEqual(['OPTIONS /a', 'TRACE /a', '/c', '/d']);
  });
});

describe('references', () => {
  const document = {
    components: {
      schemas: { 'a/b': { type: 'string' }, 'c~d': 1, 'e f': 2, circle: { $ref: '#/components/schemas/circle' } },
      list: [{ type: 'number' }],
    },
  };

  it.each([
    ['#/components/schemas/a~1b', { type: 'string' }],
    ['#/components/schemas/c~0d', 1],
    ['#/components/schemas/e%20f', 2],
    ['#/components/list/0', { type: 'number' }],
  ])('finds %s', (reference, expected) => {
    expect(lookUp(document, reference)).toEqual(expected);
  });

  it.each([
    ['another host', 'https://example.com/schemas.json#/Pet'],
    ['a file', './schemas.yaml#/Pet'],
    ['an absolute file', 'file:///etc/passwd'],
    ['an anchor', '#Pet'],
    ['a missing part', '#/components/schemas/Missing'],
    ['what every object inherits', '#/components/toString'],
    ['a prototype', '#/components/__proto__'],
    ['a prototype in disguise', '#/components/%5F_proto__'],
    ['a constructor', '#/constructor/prototype'],
    ['a malformed escape', '#/components/%zz'],
  ])('refuses %s', (_, reference) => {
    expect(() => lookUp(document, reference)).toThrow(error('INVALID_TOOL'));
  });

  it('refuses an own part with a poisoned name', () => {
    const poisoned = JSON.parse('{"components":{"__proto__":{"x":{"type":"string"}}}}') as Record<string, unknown>;
    expect(() => lookUp(poisoned, '#/components/__proto__/x')).toThrow(error('INVALID_TOOL'));
  });

  it('follows a chain and refuses a circle', () => {
    expect(follow(document, { $ref: '#/components/list/0' })).toEqual({ type: 'number' });
    expect(follow(document, { plain: true })).toEqual({ plain: true });
    expect(() => follow(document, { $ref: '#/components/schemas/circle' })).toThrow(error('INVALID_TOOL'));
  });
});

it('has no credential of its connection in names and values, and is the same document without one', () => {
  const secrets = new Secrets();
  secrets.add('tok-123456789');
  const paths = { '/a/tok-123456789': { get: { summary: 'tok-123456789', parameters: [{ name: 'xtok-123456789' }] } } };
  const components = { schemas: { Pet: { properties: { 'tok-123456789': { type: 'string' } } } } };
  expect(atOnce(cleanDocument({ ...minimal, paths, components }, secrets))).toEqual({
    ...minimal,
    paths: { '/a/[removed]': { get: { summary: '[removed]', parameters: [{ name: 'x[removed]' }] } } },
    components: { schemas: { Pet: { properties: { '[removed]': { type: 'string' } } } } },
  });
  expect(atOnce(cleanDocument(minimal, secrets))).toBe(minimal);
});
