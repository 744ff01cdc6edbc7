import fc from 'fast-check';
import { atOnce } from '../../../async/time-slicer.js';
import { FakeSource } from '../../../testing/fakes/fake-source.js';
import { openToolbox } from '../../../testing/open-toolbox.js';
import { estimateTokens } from '../../../tool/token-count.js';
import { contentText } from '../../../tool/tool-result.js';
import type { DescribedTool } from '../../search/described-tool.js';
import { getForModel } from '../../search/get-for-model.js';
import { boundedDefinitions } from './bounded-definitions.js';

const described = (name: string, inputSchema: object = {}, more: Partial<DescribedTool> = {}): DescribedTool => ({
  name,
  description: 'Does one thing.',
  tags: [],
  sideEffects: 'read',
  loading: 'deferred',
  authScopes: [],
  inputSchema: { type: 'object', ...inputSchema },
  ...more,
});
/** A definition of about 11,000 tokens. */
const large = (name: string) =>
  described(name, {
    properties: Object.fromEntries(
      Array.from({ length: 300 }, (_, n) => [
        `field_${n}`,
        { type: n % 2 ? 'string' : 'number', description: `The value of field ${n}, `.repeat(6) },
      ]),
    ),
    required: ['field_299', 'field_7'],
  });
const bounded = (tools: readonly DescribedTool[], budget = 4000) =>
  atOnce(boundedDefinitions({ tools, unavailable: [] }, budget, estimateTokens));
const tokensOf = (tools: readonly DescribedTool[]) => estimateTokens(JSON.stringify(tools));

it('leaves a reply within the budget as it is', () => {
  const reply = { tools: [described('a.b'), described('a.c')], unavailable: ['x'] };
  expect(atOnce(boundedDefinitions(reply, 4000, estimateTokens))).toEqual({ ...reply, summarized: [] });
});

it('bounds ten large definitions, and keeps small ones whole', () => {
  const tools = [described('a.small'), ...Array.from({ length: 9 }, (_, n) => large(`a.large_${n}`))];
  expect(tokensOf(tools)).toBeGreaterThan(90_000);
  const { tools: short, summarized } = bounded(tools);
  expect(tokensOf(short)).toBeLessThanOrEqual(4000);
  expect(tokensOf(short)).toBeGreaterThan(1000);
  expect(short[0]).toBe(tools[0]);
  expect(summarized).toEqual(tools.slice(1).map(({ name }) => name));
});

it('keeps required parameters first, with their types, and counts what is missing', () => {
  const [tool] = bounded([large('a.b')], 1000).tools;
  const {
    properties = {},
    required,
    ...schema
  } = (tool?.inputSchema ?? {}) as { properties?: object; required?: string[] };
  const names = Object.keys(properties);
  expect(names.slice(0, 2)).toEqual(['field_299', 'field_7']);
  expect(required).toEqual(['field_299', 'field_7']);
  expect(Object.values(properties)).toEqual(
    names.map((name) => expect.objectContaining({ type: Number(name.slice(6)) % 2 ? 'string' : 'number' })),
  );
  expect(schema).toEqual({ type: 'object', '…': `${300 - names.length} more properties` });
});

it('resolves references, also those that never end', () => {
  const schema = {
    properties: { node: { $ref: '#/$defs/node' } },
    $defs: {
      node: { type: 'object', description: 'word '.repeat(4000), properties: { next: { $ref: '#/$defs/node' } } },
    },
  };
  const [tool] = bounded([described('a.b', schema)], 1000).tools;
  expect(tool?.inputSchema).toMatchObject({
    properties: { node: { type: 'object', properties: { next: { type: 'object' } } } },
  });
});

it('stays within the budget for any schema', () => {
  const schema = fc.object({
    maxDepth: 5,
    maxKeys: 30,
    key: fc.constantFrom(
      'properties',
      'items',
      'anyOf',
      'enum',
      'type',
      'description',
      'a',
      'b',
      'required',
      '$ref',
      'x'.repeat(500),
    ),
  });
  fc.assert(
    fc.property(fc.array(schema, { minLength: 1, maxLength: 10 }), (schemas) => {
      const tools = schemas.map((each, n) => described(`a.tool_${n}`, { ...each, padding: 'x'.repeat(20_000) }));
      const { tools: short, summarized } = bounded(tools, 1000);
      expect(summarized).toHaveLength(tools.length);
      expect(tokensOf(short)).toBeLessThanOrEqual(1000);
    }),
  );
});

it('keeps room for the note that names the summarized tools', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 1, max: 64 }), (count, length) => {
      const tools = Array.from({ length: count }, (_, n) => large(`${n}${'n'.repeat(length - 1)}`));
      const reply = atOnce(boundedDefinitions({ tools, unavailable: [] }, 1000, estimateTokens));
      const answer = getForModel(reply, 'tool_describe {"tool_name":"…","full":true}');
      expect(answer.note).toContain(tools.at(-1)?.name);
      expect(estimateTokens(JSON.stringify(answer))).toBeLessThanOrEqual(1000);
    }),
    { numRuns: 60 },
  );
});

describe('tool_get', () => {
  const source = () =>
    new FakeSource(
      'big',
      Array.from({ length: 10 }, (_, n) => ({ name: `t${n}`, inputSchema: large('x').inputSchema! })),
    );
  const names = Array.from({ length: 10 }, (_, n) => `big.t${n}`);

  it('summarizes ten large definitions, and reads one in full', async () => {
    const { toolbox } = await openToolbox({ sources: [source()] });
    const read = async (input: object) => {
      const result = await toolbox.call('tool_get', input);
      return result.ok ? contentText(result.content) : JSON.stringify(result);
    };
    const text = await read({ names });
    expect(estimateTokens(text)).toBeLessThanOrEqual(4000);
    const { note } = JSON.parse(text) as { note: string };
    expect(note).toBe(`Summarized: ${names.join(', ')}. Read one in full with tool_get {"names":["…"],"full":true}.`);
    const full = JSON.parse(await read({ names: ['big.t3'], full: true }));
    expect(Object.keys(full.tools[0].inputSchema.properties)).toHaveLength(300);
    expect(full).not.toHaveProperty('note');
    expect(await read({ names, full: true })).toContain('INVALID_ARGUMENTS');
    expect((await toolbox.get(names)).tools[0]?.inputSchema).toEqual(large('x').inputSchema);
  });

  it.each([
    ['penguiflow', 'tool_get', { names: ['big.t1'] }, 'tool_get {"names":["…"],"full":true}'],
    ['praisonai', 'tool_describe', { tool_name: 'big.t1' }, 'tool_describe {"tool_name":"big.t1","full":true}'],
  ] as const)('in the words of %s', async (preset, name, input, call) => {
    const { toolbox } = await openToolbox({
      sources: [source()],
      options: { preset, defaultLoading: 'deferred', exposure: 'bridge' },
    });
    const read = async (args: object) => {
      const result = await toolbox.call(name, args);
      return result.ok ? contentText(result.content) : JSON.stringify(result);
    };
    const short = await read(input);
    expect(estimateTokens(short)).toBeLessThan(4100);
    expect(JSON.parse(short).note).toBe(`Summarized: big.t1. Read one in full with ${call}.`);
    expect(estimateTokens(await read({ ...input, full: true }))).toBeGreaterThan(9000);
  });
});
