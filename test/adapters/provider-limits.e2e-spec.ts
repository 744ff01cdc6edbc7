import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ToolSource } from '@tool-search/core';
import { isObject, type LeftOutTool } from '@tool-search/core/internal';
import { openToolbox } from '@tool-search/core/testing';
import {
  ANTHROPIC_LIMITS,
  ANY_PROVIDER_LIMITS,
  OPENAI_LIMITS,
  plain,
  type PlainTool,
  type ProviderLimits,
} from '@tool-search/agents/plain';
import fc from 'fast-check';
import { ListedSource, listedSources } from '../../bench/datasets/listed-source.js';
import { checkedChat } from '../support/adapters/openai/openai-chat-check.js';

/** Recorded catalogs of real servers. Not part of the repository. */
const CATALOGS = process.env['TOOL_SEARCH_TEST_CATALOGS'] ?? join(__dirname, '../../../shared/data/catalogs');

/** A provider's limits, and its error for a request with these tools (undefined: accepted). */
type Provider = {
  readonly limits: ProviderLimits;
  readonly refusal: (tools: readonly PlainTool[]) => string | undefined;
};

const openai = (tools: readonly PlainTool[]): string | undefined => {
  const functions = tools.map(({ name, description, inputSchema }) => ({
    type: 'function',
    function: { name, description, parameters: inputSchema },
  }));
  try {
    checkedChat({ model: 'gpt-6-sol', messages: [{ role: 'user', content: 'hi' }], tools: functions });
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

/** Error of Anthropic's API for these tools, according to its error messages. */
const anthropic = (tools: readonly PlainTool[]): string | undefined => {
  if (new Set(tools.map(({ name }) => name)).size < tools.length) return 'Tool names must be unique.';
  for (const { name, inputSchema } of tools) {
    if (!/^[a-zA-Z0-9_-]{1,128}$/.test(name)) return `${name}: String should match pattern`;
    if (inputSchema['type'] !== 'object') return `${name}: Input should be 'object'`;
    if (['oneOf', 'allOf', 'anyOf'].some((key) => key in inputSchema))
      return `${name}: does not support oneOf at the top`;
    const properties = isObject(inputSchema['properties']) ? inputSchema['properties'] : {};
    const key = Object.keys(properties).find((each) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(each));
    if (key !== undefined) return `${name}: Property keys should match pattern: ${key}`;
  }
  return undefined;
};

const PROVIDERS: readonly Provider[] = [
  { limits: OPENAI_LIMITS, refusal: openai },
  { limits: ANTHROPIC_LIMITS, refusal: anthropic },
  { limits: ANY_PROVIDER_LIMITS, refusal: (tools) => openai(tools) ?? anthropic(tools) },
];

/** Sends a catalog to every provider. Fails if a provider would reject anything, or if a name is ambiguous. */
async function expectTaken(sources: readonly ToolSource[]) {
  const { toolbox, catalog, eventsOf, close } = await openToolbox({
    sources,
    options: { exposure: 'auto', catalog: { bootWaitMs: 600_000 } },
  });
  const visible = (await toolbox.visible()).map(({ name }) => name);
  for (const { limits, refusal } of PROVIDERS) {
    const leftOut: LeftOutTool[] = [];
    const onLeftOut = (tool: LeftOutTool) => leftOut.push(tool);
    // Every tool of the catalog, in as many requests as necessary.
    const all = plain(toolbox, { mode: 'all', onLeftOut, limits: { ...limits, tools: visible.length } });
    const { tools } = await all.step();
    expect(leftOut).toEqual([]);
    expect(tools).toHaveLength(visible.length);
    expect(new Set(tools.map(({ name }) => name)).size).toBe(visible.length);
    for (let from = 0; from < tools.length; from += limits.tools) {
      expect(refusal(tools.slice(from, from + limits.tools))).toBeUndefined();
    }
    // Every name resolves to its tool, also if it was not shown before.
    const meant: string[] = [];
    const recording = {
      visible: () => toolbox.visible(),
      surface: () => toolbox.surface(),
      call: (name: string) => {
        meant.push(name);
        return Promise.resolve({ ok: true as const, content: [] });
      },
    };
    const stranger = plain(recording, { limits });
    for (const { name } of tools) await stranger.call(name, {});
    expect(meant).toEqual(visible);

    // One request as sent in each mode.
    for (const mode of ['all', 'deferred', 'bridge'] as const) {
      leftOut.length = 0;
      const step = await plain(toolbox, { mode, onLeftOut, limits }).step();
      expect(step.tools.length === 0 ? undefined : refusal(step.tools)).toBeUndefined();
      expect(leftOut).toHaveLength(mode === 'all' ? Math.max(0, visible.length - limits.tools) : 0);
    }
  }
  const refused = catalog.sources().flatMap((source) => source.refused).length;
  const told = eventsOf('tool.left_out').length;
  await close();
  return { tools: catalog.current().tools.length + refused, refused, visible: visible.length, told };
}

const anySchema = fc.oneof(
  fc.constantFrom(
    { type: 'object' },
    {},
    { type: 'object', properties: { list: { type: 'array' }, pair: { type: ['array', 'null'], prefixItems: [{}] } } },
    {
      type: 'object',
      properties: { 'filter[id]': { type: 'string' }, 'Account Number': {} },
      required: ['filter[id]'],
    },
    { type: 'object', required: ['lost'] },
    {
      anyOf: [
        { type: 'object', properties: { a: { type: 'string' } } },
        { type: 'object', properties: { b: {} } },
      ],
    },
    { type: 'object', oneOf: [{ required: ['a'] }, { required: ['b'] }], properties: { a: {}, b: {} } },
    { $ref: '#/$defs/a', $defs: { a: { type: 'object', properties: { next: { $ref: '#/$defs/a' } } } } },
    { type: 'object', properties: { a: { items: [{ type: 'array' }], type: 'array' } }, not: { required: ['b'] } },
  ),
  fc
    .dictionary(fc.stringMatching(/^[a-z[\] .]{1,80}$/), fc.constantFrom({ type: 'array' }, { type: 'string' }, true))
    .map((properties) => ({ type: 'object', properties })),
);
const anyListed = fc.record({
  name: fc.oneof(fc.stringMatching(/^[ab_.-]{1,6}$/), fc.stringMatching(/^[A-Za-z0-9_.-]{60,120}$/)),
  description: fc.string({ maxLength: 1200 }),
  inputSchema: anySchema,
});

describe('no provider refuses a request because of one tool', () => {
  it('for any list of a server', async () => {
    let seen = 0;
    const namespace = fc.constantFrom('a', 'a_', 'a.b', 'a__b', 'n'.repeat(40));
    const lists = fc.uniqueArray(fc.tuple(namespace, fc.array(anyListed, { minLength: 20, maxLength: 30 })), {
      minLength: 1,
      maxLength: 3,
      selector: ([name]) => name,
    });
    await fc.assert(
      fc.asyncProperty(lists, async (given) => {
        seen += (await expectTaken(given.map(([name, tools]) => new ListedSource(name, tools)))).visible;
      }),
      { numRuns: 10 },
    );
    // The property must have seen enough cases.
    expect(seen).toBeGreaterThan(100);
  });

  const name = 'with the real catalogs of TOOL_SEARCH_TEST_CATALOGS';
  if (existsSync(CATALOGS)) {
    it(
      name,
      async () => {
        const figures = await expectTaken(listedSources(CATALOGS));
        console.info(JSON.stringify(figures));
        expect(figures.visible / figures.tools).toBeGreaterThan(0.98);
      },
      120_000,
    );
    // Where skipped tests count as failures, services must be available, but not the catalogs.
  } else if (!process.env['TOOL_SEARCH_TEST_NO_SKIPS']) it.skip(name, () => undefined);
});
