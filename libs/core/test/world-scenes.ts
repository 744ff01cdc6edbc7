import fc from 'fast-check';
import { PATTERN_FIELDS } from '../src/search/tool-index.js';
import type { FakeSourceTool } from '../src/testing/fakes/fake-source.js';
import type { SearchRequest } from '../src/toolbox/search/search-request.js';

export { PATTERN_FIELDS };

/*
 * What the tests of two worlds draw: tools, reasons why a caller does not have one of them, and steps of a caller that
 * looks for it. They run inside the library and through every endpoint of the gateway.
 */

/** A tool of the pool, and its source. */
export interface PoolTool extends FakeSourceTool {
  readonly source: 'billing' | 'files';
  readonly description: string;
}
/** Tools of two sources, of which a setting takes some. */
export const POOL: readonly PoolTool[] = [
  { source: 'billing', name: 'refund_invoice', description: 'Refund an invoice, fully or in part.', tags: ['money'] },
  {
    source: 'billing',
    name: 'get_invoice',
    description: 'Read one invoice.',
    tags: ['money'],
    aliases: ['billing.show'],
  },
  { source: 'billing', name: 'list_customers', description: 'List all customers.', loading: 'always' },
  {
    source: 'billing',
    name: 'void_invoice',
    description: 'Cancel an invoice before it is paid.',
    sideEffects: 'write',
  },
  { source: 'files', name: 'read_file', description: 'Read a file from the disk.', tags: ['disk'] },
  { source: 'files', name: 'delete_file', description: 'Delete a file for good.', tags: ['disk'] },
  { source: 'files', name: 'list_folder', description: 'List the files of a folder.', loading: 'always' },
  { source: 'files', name: 'search_files', description: 'Search files by a word in them.' },
];

/** Reasons why a caller of tenant `acme` does not have X. */
export const WAYS = [
  'hidden',
  'hiddenByKey',
  'denied',
  'deniedToTenant',
  'untagged',
  'foreign',
  'refused',
  'listedTwice',
  'withdrawn',
  'suspicious',
  'changed',
  'rejected',
  'killed:tool',
  'killed:alias',
  'killed:glob',
  'killed:namespace',
  'killed:tag',
  'killed:side_effects',
  'killedForTenant:tool',
  'killedForTenant:glob',
  'storedForTenant',
  'storedForAgent',
  'storedForAgentOfTenant',
  'narrowed',
  'narrowedByFilter',
  'narrowedTwice',
] as const;
/** One of {@link WAYS}. */
export type Way = (typeof WAYS)[number];

/** The tools of two worlds: `x` is in one of them only. */
export interface Setting {
  readonly pool: readonly PoolTool[];
  readonly x: PoolTool;
  readonly mode: 'deferred' | 'auto';
  readonly activateOn: 'call' | 'load' | 'search';
}

/** The canonical name. */
export const nameOf = ({ source, name }: PoolTool) => `${source}.${name}`;

/** A step of the caller. Plain data, so that a failing run can be read. */
export type Step =
  | { readonly do: 'list' | 'visible' }
  | { readonly do: 'surface'; readonly text: string; readonly contextWindow: number }
  | { readonly do: 'search'; readonly request: SearchRequest }
  | { readonly do: 'get' | 'activate'; readonly names: readonly string[] }
  | { readonly do: 'call'; readonly name: string; readonly input: object };

/** Draws X, and at least four other tools. */
export const setting: fc.Arbitrary<Setting> = fc
  .tuple(fc.shuffledSubarray([...POOL], { minLength: 5 }), fc.constantFrom('deferred' as const, 'auto' as const))
  .chain(([[x, ...pool], mode]) => {
    if (!x) throw new Error('The pool has no tool.');
    return fc.record({
      pool: fc.constant(pool),
      x: fc
        .record({
          // Words that only X has, words that all have, an alias, and both kinds of loading.
          hasAlias: fc.boolean(),
          loading: fc.constantFrom('always' as const, 'deferred' as const),
          title: fc.constantFrom('Zeppelin', 'Invoice'),
          // Near copies of one source share one hit.
          original: fc.constantFrom(undefined, pool[0]),
        })
        .map(({ original, hasAlias, ...more }): PoolTool => {
          const tool = original ? { ...original, name: `${original.name}_copy` } : x;
          return { ...tool, ...more, aliases: hasAlias ? [`${tool.source}.zeppelin`] : [] };
        }),
      mode: fc.constant(mode),
      activateOn: fc.constantFrom('call' as const, 'call' as const, 'load' as const, 'search' as const),
    });
  });

/** Draws steps of a caller that looks for X. */
export function stepFor({ x, pool }: Setting): fc.Arbitrary<Step> {
  const others = pool.map(nameOf);
  const name = fc.oneof(
    fc.constantFrom(nameOf(x), `${x.source}.zeppelin`, nameOf(x).toUpperCase(), `${nameOf(x)} `, 'no.such'),
    fc.constantFrom(...others),
  );
  const known = [x, ...pool].flatMap((tool) => [...tool.name.split('_'), ...tool.description.split(' ')]);
  // Also words without their last letter, a misspelling of the title, and synonyms of words in names.
  const near = [...x.name.split('_').map((word) => word.slice(0, -1)), 'zepelin', 'erase', 'reimburse', 'fetch'];
  const words = [...x.name.split('_'), ...known, ...near, 'zeppelin', 'hydrofoil'];
  const query = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 }).map((chosen) => chosen.join(' '));
  const pattern = fc.constantFrom(
    '.',
    'zeppelin',
    `^${x.source}`,
    x.name,
    'file|invoice',
    '_',
    '(?i)LIST',
    '[',
    '(?=x)',
  );
  const more = {
    limit: fc.integer({ min: 1, max: 30 }),
    namespace: fc.constantFrom(x.source, 'billing', 'files', 'nowhere'),
    includeAlwaysLoaded: fc.constantFrom(undefined, true, false),
    loading: fc.constantFrom(undefined, 'always' as const, 'deferred' as const),
    explain: fc.boolean(),
  };
  const search: fc.Arbitrary<SearchRequest> = fc.oneof(
    fc.record({ query, type: fc.constantFrom('bm25' as const, 'fts' as const), ...more }, { requiredKeys: ['query'] }),
    fc.record({ queries: fc.array(query, { minLength: 1, maxLength: 3 }), ...more }, { requiredKeys: ['queries'] }),
    fc.record(
      {
        query: pattern,
        type: fc.constant('regex' as const),
        fields: fc.subarray([...PATTERN_FIELDS], { minLength: 1 }),
        ...more,
      },
      { requiredKeys: ['query', 'type'] },
    ),
    fc.record(
      { query: fc.oneof(name, query), type: fc.constant('exact' as const), ...more },
      { requiredKeys: ['query', 'type'] },
    ),
  );
  const names = fc.array(name, { minLength: 1, maxLength: 4 });
  const meta = fc.oneof(
    fc.record({ name: fc.constant('tool_search'), input: search as fc.Arbitrary<object> }),
    fc.record({ name: fc.constantFrom('tool_get', 'tool_load'), input: fc.record({ names }) }),
  );
  return fc.oneof(
    fc.record({ do: fc.constantFrom('list' as const, 'visible' as const) }),
    fc.record({ do: fc.constant('surface' as const), text: query, contextWindow: fc.constantFrom(1000, 5000, 20_000) }),
    { weight: 3, arbitrary: fc.record({ do: fc.constant('search' as const), request: search }) },
    fc.record({ do: fc.constantFrom('get' as const, 'activate' as const), names }),
    fc.record({ do: fc.constant('call' as const), name, input: fc.constantFrom({}, { a: 1 }) }),
    meta.map((call): Step => ({ do: 'call', ...call })),
  );
}
