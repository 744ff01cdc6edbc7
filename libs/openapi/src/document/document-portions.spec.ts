import * as yaml from 'yaml';
import { documentPortions } from './document-portions.js';
import { assembled, readInWorker } from './document-worker.js';

const { signal } = new AbortController();
const bounds = { maxYamlBytes: 10_000_000, maxChars: 10_000_000 };
const error = (code: string) => expect.objectContaining({ name: 'ToolSearchError', code });

/** Reads a text without a worker and counts its portions. */
const read = async (text: string, portionChars = 100, more = bounds) => {
  const portions = documentPortions(text, () => yaml, { ...more, portionChars });
  let count = 0;
  let longest = 0;
  const document = await assembled(() => {
    const { value } = portions.next();
    if (value) [count, longest] = [count + 1, Math.max(longest, value.length)];
    return Promise.resolve(value ?? undefined);
  });
  return { document, count, longest };
};

describe('a document in portions', () => {
  const document = {
    paths: Object.fromEntries(
      Array.from({ length: 300 }, (_, i) => [`/p${i}`, { get: { tags: ['a', i, null, true] } }]),
    ),
    list: Array.from({ length: 200 }, (_, i) => ({ i, items: [[], {}, [i]] })),
    text: 'x'.repeat(1_000),
    empty: {},
  };

  it('is the same document for any size of a portion', async () => {
    const text = JSON.stringify(document);
    for (const portionChars of [1, 30, 100, 5_000, 1_000_000]) {
      const { document: same } = await read(text, portionChars);
      expect(same).toEqual(document);
      // Includes the order of keys.
      expect(JSON.stringify(same)).toBe(text);
    }
  });

  it('comes in so many portions that none is much longer than it may be', async () => {
    const text = JSON.stringify({ paths: document.paths, list: document.list });
    const { count, longest } = await read(text, 500);
    expect(longest).toBeLessThan(1_200);
    expect(count).toBeGreaterThanOrEqual(text.length / 1_200);
  });

  it('keeps a key that could reach a prototype as a key', async () => {
    const text = `{"__proto__":{"a":1},"list":[${'{"__proto__":{"b":2}},'.repeat(50)}0]}`;
    const { document: same } = await read(text, 50);
    expect(JSON.stringify(same)).toBe(text);
    expect(Object.getPrototypeOf(same)).toBe(Object.prototype);
  });

  it.each([
    ['in blocks', 'a: 1\nb: 2\na: 3\n'],
    ['in braces', 'x: {a: 1, b: 2, a: 3}\n'],
    ['with other quotes', 'a: 1\n"a": 2\n'],
  ])('refuses YAML with a key twice, %s', async (_, text) => {
    await expect(read(text)).rejects.toThrow('broken');
    await expect(readInWorker([Buffer.from(text)], bounds, signal)).rejects.toEqual(error('UPSTREAM_INVALID'));
  });

  it('looks at each key of a mapping once', async () => {
    let looks = 0;
    class CountedSet extends Set<unknown> {
      override add(value: unknown): this {
        looks += 1;
        return super.add(value);
      }
    }
    const plain = Set;
    const keys = (count: number) => Array.from({ length: count }, (_, i) => `k${i}: ${i}\n`).join('');
    const parse = jest.fn<ReturnType<typeof yaml.parseDocument>, Parameters<typeof yaml.parseDocument>>(
      yaml.parseDocument,
    );
    try {
      globalThis.Set = CountedSet as SetConstructor;
      const portions = documentPortions(keys(500), () => ({ ...yaml, parseDocument: parse }) as typeof yaml, {
        ...bounds,
        portionChars: 100_000,
      });
      expect([...portions]).toHaveLength(1);
    } finally {
      globalThis.Set = plain;
    }
    expect(looks).toBe(500);
    // The parser's own check of unique keys compares each key with all others.
    expect(parse.mock.calls.map(([, options]) => options)).toEqual([expect.objectContaining({ uniqueKeys: false })]);
  });

  it.each([
    ['broken JSON', '{"a":', 'broken-json'],
    ['broken YAML', 'a: "b', 'broken'],
    ['several documents', 'a: 1\n---\nb: 2\n', 'broken'],
    ['no object', '7', 'broken'],
    ['what expands beyond its bound', `a: &a [${'x, '.repeat(90)}x]\nb: [${'*a, '.repeat(50)}*a]\n`, 'expands'],
    ['too many aliases', `a: &a [x]\nb: [${'*a, '.repeat(100)}*a]\n`, 'broken'],
    ['what is nested beyond measure', `${'{"a":['.repeat(200)}1${',1]}'.repeat(200)}`, 'deep'],
  ])('refuses %s', async (_, text, fault) => {
    await expect(read(text, 10, { maxYamlBytes: 10_000, maxChars: 5_000 })).rejects.toThrow(fault);
  });

  it('refuses long YAML before it is parsed', async () => {
    await expect(read(`a: ${'x'.repeat(100)}`, 10, { maxYamlBytes: 100, maxChars: 5_000 })).rejects.toThrow(
      'long-yaml',
    );
  });
});

describe('a document that a worker reads', () => {
  it('is the same, and others have their turn at every portion', async () => {
    const document = { paths: Array.from({ length: 4_000 }, (_, i) => ({ i, text: 'y'.repeat(300) })) };
    let turns = 0;
    let isOver = false;
    const others = () => {
      turns += 1;
      if (!isOver) setImmediate(others);
    };
    others();
    const text = JSON.stringify(document);
    expect(await readInWorker([Buffer.from(text)], bounds, signal)).toEqual(document);
    isOver = true;
    expect(turns).toBeGreaterThan(text.length / 65_536 - 1);
  });

  it('is given up when its signal is aborted, and its worker ends', async () => {
    const abort = new AbortController();
    const reason = new Error('enough');
    const endless = `k: &a {${Array.from({ length: 200_000 }, (_, i) => `a${i}: b`).join(', ')}}`;
    const reading = readInWorker([Buffer.from(endless)], bounds, abort.signal);
    setImmediate(() => abort.abort(reason));
    await expect(reading).rejects.toBe(reason);
    await expect(readInWorker([Buffer.from('{}')], bounds, abort.signal)).rejects.toBe(reason);
  });

  it.each([
    ['JSON', '{"a":', 'UPSTREAM_INVALID', bounds],
    ['YAML', 'a: "b', 'UPSTREAM_INVALID', bounds],
    ['too much YAML', 'a: b', 'SOURCE_LIMIT', { ...bounds, maxYamlBytes: 3 }],
    ['too long a document', '{"a":"bcd"}', 'SOURCE_LIMIT', { ...bounds, maxChars: 3 }],
  ])('is refused with a code: %s', async (_, text, code, limits) => {
    await expect(readInWorker([Buffer.from(text)], limits, signal)).rejects.toEqual(error(code));
  });
});

it('keeps unquoted texts of YAML as they are written where a text belongs', async () => {
  const text = `
servers:
  - url: https://api.example.com:{port}/{version}
    variables:
      port: { default: 8443 }
      version: { default: 1.0, enum: [1.0, 1.10] }
paths:
  /a:
    get:
      parameters:
        - { name: 404, in: query, schema: { type: string, enum: [1.0, 1.10, true], default: 1.10 } }
        - { name: size, in: query, schema: { type: [string, 'null'], const: 2.0 } }
        - { name: count, in: query, schema: { type: integer, enum: [1, 2], default: 1.0 } }
`;
  const { document } = await read(text);
  expect(document).toMatchObject({
    servers: [{ variables: { port: { default: '8443' }, version: { default: '1.0', enum: ['1.0', '1.10'] } } }],
    paths: {
      '/a': {
        get: {
          parameters: [
            { name: '404', schema: { enum: ['1.0', '1.10', 'true'], default: '1.10' } },
            { name: 'size', schema: { const: '2.0' } },
            { name: 'count', schema: { enum: [1, 2], default: 1 } },
          ],
        },
      },
    },
  });
});
