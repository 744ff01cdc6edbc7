/// <reference types="jest" />
import type { CatalogChange, SearchAnswer, ToolIndex } from '../../search/tool-index.js';
import { CatalogSnapshot } from '../../tool/snapshot/catalog-snapshot.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { SearchType } from '../../tool/tool-event.js';
import { isToolSearchError } from '../../tool/tool-search.error.js';
import { ToolSet } from '../../tool/snapshot/tool-set.js';
import { fakeTool, fakeTools } from '../fakes/fake-tools.js';

/** Timeout for slow machines, not a performance requirement. */
const PATIENCE = 60_000;
const TYPES: readonly SearchType[] = ['bm25', 'regex', 'exact'];

/** An answer with tool names instead of ids, so that answers of different snapshots can be compared. */
interface NamedAnswer extends Omit<SearchAnswer, 'hits'> {
  readonly hits: readonly { readonly name: string; readonly score: number; readonly match: SearchType }[];
}

interface Asked {
  readonly tools: readonly ToolDefinition[];
  readonly text: string;
  readonly type?: SearchType;
  readonly limit?: number;
  readonly visible?: (tool: ToolDefinition) => boolean;
  readonly among?: (tool: ToolDefinition) => boolean;
}

const snapshotOf = (tools: readonly ToolDefinition[], revision = 1): CatalogSnapshot =>
  new CatalogSnapshot(revision, tools);
const all = (snapshot: CatalogSnapshot): ToolSet => ToolSet.of(snapshot.tools.length, () => true);

/**
 * The contract of {@link ToolIndex} as a Jest suite, for every engine. Needs Jest's globals and the package
 * `fast-check`.
 *
 * @param name title of the suite
 * @param make creates an empty index; called several times per test
 * @param promises `statistics`: `visible` if hidden tools have no effect on answers, `global` for an engine whose word
 *   statistics count them
 */
export function describeToolIndex(
  name: string,
  make: () => ToolIndex,
  promises: { readonly statistics: 'visible' | 'global' },
): void {
  const ask = async (
    { tools, text, type = 'bm25', limit = 20, visible = () => true, among }: Asked,
    index: ToolIndex = make(),
    change: CatalogChange = { next: snapshotOf(tools) },
  ): Promise<NamedAnswer> => {
    await index.apply(change);
    const snapshot = change.next;
    const setOf = (accepts: (tool: ToolDefinition) => boolean) =>
      ToolSet.of(snapshot.tools.length, (id) => accepts(snapshot.at(id)));
    const query = { text, type, limit, ...(among && { among: setOf(among) }) };
    return named(await index.search(query, snapshot, setOf(visible)), snapshot);
  };
  const namesFor = async (asked: Asked): Promise<string[]> => (await ask(asked)).hits.map((hit) => hit.name);

  describe(`${name} as a ToolIndex`, () => {
    const tools = [
      fakeTool({ name: 'billing.refund', description: 'Refund an invoice, fully or in part.', tags: ['money'] }),
      fakeTool({ name: 'billing.list_invoices', description: 'List the invoices of a customer.', tags: ['money'] }),
      fakeTool({ name: 'files.read_text', description: 'Read a text file from disk.', aliases: ['files.cat'] }),
      fakeTool({ name: 'weather.forecast', description: 'Tell how the sky will be.' }),
    ];

    it('finds a tool by the words of its name, description and tags', async () => {
      expect((await namesFor({ tools, text: 'refund an invoice' }))[0]).toBe('billing.refund');
      expect((await namesFor({ tools, text: 'what will the sky be like' }))[0]).toBe('weather.forecast');
      expect([...(await namesFor({ tools, text: 'money' }))].sort()).toEqual([
        'billing.list_invoices',
        'billing.refund',
      ]);
    });

    it('scores every hit above 0.01, also in a small catalog in which most tools have the word, and the best one highest', async () => {
      const verbs = ['open', 'close', 'rename', 'archive', 'print'];
      for (let size = 1; size <= verbs.length; size++) {
        const few = verbs
          .slice(0, size)
          .map((verb) => fakeTool({ name: `files.${verb}`, description: `To ${verb} a file.` }));
        const { hits } = await ask({ tools: few, text: `${verbs[size - 1]} file` });
        expect(hits[0]?.name).toBe(`files.${verbs[size - 1]}`);
        for (const { score } of hits) expect(score).toBeGreaterThan(0.01);
        expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).toSorted((a, b) => b - a));
      }
    });

    it('finds a tool by its parameters', async () => {
      const inputSchema = {
        type: 'object',
        properties: { iban: { type: 'string', description: 'Account that receives the transfer.' } },
      };
      const withParameters = [...tools, fakeTool({ name: 'bank.pay', description: 'Send money.', inputSchema })];
      expect(await namesFor({ tools: withParameters, text: 'iban' })).toEqual(['bank.pay']);
      expect((await namesFor({ tools: withParameters, text: 'transfer to an account' }))[0]).toBe('bank.pay');
    });

    it('finds a tool by what its users say, and by what its source says of itself', async () => {
      const described = [
        ...tools,
        fakeTool({
          name: 'bank.reverse',
          description: 'Book an amount back.',
          exampleQueries: ['somebody charged me twice', 'dispute a payment'],
          sourceDescription: 'Accounts of a bank in Zurich.',
        }),
      ];
      expect(await namesFor({ tools: described, text: 'I was charged twice' })).toEqual(['bank.reverse']);
      expect(await namesFor({ tools: described, text: 'zurich' })).toEqual(['bank.reverse']);
    });

    it('ranks a tool that is named by a word above one whose every example query repeats it', async () => {
      const exampleQueries = Array.from({ length: 20 }, (_, n) => `${'forecast '.repeat(20)}${n}`);
      const stuffed = [...tools, fakeTool({ name: 'spam.offer', description: 'Buy this.', exampleQueries })];
      expect((await namesFor({ tools: stuffed, text: 'forecast' }))[0]).toBe('weather.forecast');
    });

    it('finds a tool by its name, last name part, alias or tag, in any case', async () => {
      const exact = (text: string) => namesFor({ tools, text, type: 'exact' });
      expect(await exact('billing.refund')).toEqual(['billing.refund']);
      expect(await exact('READ_TEXT')).toEqual(['files.read_text']);
      expect(await exact('files.cat')).toEqual(['files.read_text']);
      expect(await exact('Money')).toEqual(['billing.list_invoices', 'billing.refund']);
      expect(await exact('refund an invoice')).toEqual([]);
    });

    it('finds tools by a pattern over name, tags and description, names first', async () => {
      const regex = (text: string) => namesFor({ tools, text, type: 'regex' });
      expect(await regex('^billing\\.')).toEqual(['billing.list_invoices', 'billing.refund']);
      expect(await regex('read_text|disk')).toEqual(['files.read_text']);
      expect(await regex('REFUND|list the')).toEqual(['billing.refund', 'billing.list_invoices']);
    });

    it('gives scores from 0 to 1, best first', async () => {
      for (const type of TYPES) {
        const { hits } = await ask({ tools: fakeTools(60), text: 'money', type });
        const scores = hits.map((hit) => hit.score);
        expect(scores.length).toBeGreaterThan(1);
        expect(scores.every((score) => score > 0 && score <= 1)).toBe(true);
        expect(scores).toEqual([...scores].sort((a, b) => b - a));
      }
    });

    it('returns the words that no visible tool has, and "none" only without hits', async () => {
      const partly = await ask({ tools, text: 'refund the unicorn' });
      expect(partly.unmatched).toEqual(['unicorn']);
      expect(['found', 'weak']).toContain(partly.verdict);
      const barely = await ask({ tools, text: 'unicorn hoover teleport invoice zeppelin quokka' });
      expect(barely.hits.length).toBeGreaterThan(0);
      expect(['found', 'weak']).toContain(barely.verdict);
      const nothing = await ask({ tools, text: 'unicorn hoover' });
      expect(nothing).toMatchObject({ hits: [], unmatched: ['unicorn', 'hoover'], verdict: 'none' });
      for (const type of TYPES) {
        expect(await ask({ tools, text: 'zzz', type })).toMatchObject({ hits: [], verdict: 'none' });
      }
    });

    it('answers a text without words with no hits', async () => {
      expect(await ask({ tools, text: '?!… "" -- 🔥' })).toMatchObject({ hits: [], unmatched: [], verdict: 'none' });
    });

    it('reads query syntax of other engines as words', async () => {
      for (const text of [
        '"refund',
        'refund AND OR NOT NEAR(',
        'name:refund',
        '{refund} : ^refund *',
        'refund; DROP TABLE',
      ]) {
        expect((await namesFor({ tools, text }))[0]).toBe('billing.refund');
      }
    });

    it('says how it matched and what it was asked for', async () => {
      for (const type of [...TYPES, 'fts'] as const) {
        const { searchType, hits } = await ask({ tools, text: 'refund', type });
        expect(searchType.requested).toBe(type);
        expect(hits.map((hit) => hit.match)).toEqual(hits.map(() => searchType.effective));
      }
    });

    it('keeps to the limit', async () => {
      for (const type of TYPES) {
        const asked = { tools: fakeTools(60), text: type === 'regex' ? '.*' : 'money', type };
        const many = await namesFor({ ...asked, limit: 20 });
        expect(await namesFor({ ...asked, limit: 3 })).toEqual(many.slice(0, 3));
      }
    });

    it('orders equal scores by name', async () => {
      // Names without function words, which some engines do not count in a document's length.
      const twins = ['d.same', 'b.same', 'c.same'].map((twin) =>
        fakeTool({ name: twin, namespace: '', description: 'x' }),
      );
      const sorted = ['b.same', 'c.same', 'd.same'];
      for (const type of TYPES) {
        const found = await namesFor({ tools: twins.map((twin) => ({ ...twin, tags: ['twin'] })), text: 'twin', type });
        expect(found).toEqual(sorted);
      }
    });

    it('never finds a tool that is not visible', async () => {
      for (const type of TYPES) {
        const hidden = (tool: ToolDefinition) => tool.name !== 'billing.refund';
        expect(await namesFor({ tools, text: 'refund', type, visible: hidden })).not.toContain('billing.refund');
      }
      expect((await ask({ tools, text: 'refund', visible: () => false })).verdict).toBe('none');
    });

    it('restricts hits to the tools among which it shall look, and leaves their scores alone', async () => {
      const asked = { tools: fakeTools(60), text: 'refund of an invoice or payment' };
      const isListed = (tool: ToolDefinition) => tool.name.includes('list');
      const everywhere = await ask({ ...asked, limit: 60 });
      const restricted = await ask({ ...asked, limit: 60, among: isListed });
      expect(restricted.hits).toEqual(everywhere.hits.filter((hit) => hit.name.includes('list')));
      expect(restricted.unmatched).toEqual(everywhere.unmatched);
    });

    it('keeps an older snapshot searchable', async () => {
      const index = make();
      const before = snapshotOf(tools);
      const after = snapshotOf(tools.slice(1), 2);
      await index.apply({ next: before });
      await index.apply({ next: after, previous: before });
      const find = async (snapshot: CatalogSnapshot) =>
        named(await index.search({ text: 'refund', type: 'bm25', limit: 5 }, snapshot, all(snapshot)), snapshot);
      expect((await find(before)).hits[0]?.name).toBe('billing.refund');
      expect((await find(after)).hits.map((hit) => hit.name)).not.toContain('billing.refund');
    });

    it('answers many searches at once as it answers each alone', async () => {
      const index = make();
      const snapshot = snapshotOf(fakeTools(200));
      await index.apply({ next: snapshot });
      const texts = ['invoice', 'pull request', 'delete', 'meeting room next week', 'stock', '.*list.*'];
      const searches = texts.flatMap((text) => TYPES.map((type) => ({ text, type, limit: 10 })));
      const find = (query: (typeof searches)[number]) => index.search(query, snapshot, all(snapshot));
      const together = await Promise.all(searches.map(find));
      const alone: SearchAnswer[] = [];
      for (const query of searches) alone.push(await find(query));
      expect(together).toEqual(alone);
    });

    it('stops when it is no longer wanted', async () => {
      const index = make();
      const snapshot = snapshotOf(tools);
      await index.apply({ next: snapshot });
      const signal = AbortSignal.abort(new Error('gone'));
      for (const type of TYPES) {
        await expect(index.search({ text: 'refund', type, limit: 5 }, snapshot, all(snapshot), signal)).rejects.toThrow(
          'gone',
        );
      }
    });

    it.each([
      ['(?=refund)', 'PATTERN_UNSUPPORTED'],
      ['(?<!re)fund', 'PATTERN_UNSUPPORTED'],
      ['(r)\\1', 'PATTERN_UNSUPPORTED'],
      ['[', 'INVALID_PATTERN'],
      ['(?:a?){500}a{500}$', 'PATTERN_TOO_COSTLY'],
      ['a{2000}', 'PATTERN_TOO_COSTLY'],
    ])('refuses the pattern %s with %s', async (text, code) => {
      const error: unknown = await ask({ tools, text, type: 'regex' }).catch((reason: unknown) => reason);
      expect(isToolSearchError(error) && error.code).toBe(code);
    });

    it(
      'gives the same answers after many small changes as an index built at once',
      async () => {
        // Required here, so that the testing kit also loads without fast-check.
        // oxlint-disable-next-line typescript/no-require-imports
        const { anyHistory, anyText, fc } =
          require('../fakes/arbitrary-tools.js') as typeof import('../fakes/arbitrary-tools.js');
        await fc.assert(
          fc.asyncProperty(anyHistory, anyText, fc.constantFrom(...TYPES), async (states, text, type) => {
            const index = make();
            let previous: CatalogSnapshot | undefined;
            for (const [revision, state] of states.entries()) {
              const next = snapshotOf(distinct(state), revision + 1);
              const asked = { tools: next.tools, text, type };
              const change = { next, ...(previous && { previous }) };
              expect(await ask(asked, index, change)).toEqual(await ask(asked));
              previous = next;
            }
          }),
          { numRuns: 60 },
        );
      },
      PATIENCE,
    );

    if (promises.statistics === 'global') return;
    it(
      'answers as if hidden tools did not exist',
      async () => {
        // Required here, so that the testing kit also loads without fast-check.
        // oxlint-disable-next-line typescript/no-require-imports
        const { anyText, anyTool, fc } =
          require('../fakes/arbitrary-tools.js') as typeof import('../fakes/arbitrary-tools.js');
        await fc.assert(
          fc.asyncProperty(
            fc.array(fc.tuple(anyTool, fc.boolean(), fc.boolean()), { maxLength: 25 }),
            anyText,
            fc.constantFrom(...TYPES),
            fc.integer({ min: 1, max: 8 }),
            fc.boolean(),
            async (drawn, text, type, limit, isRestricted) => {
              const catalog = distinct(drawn.map(([tool]) => tool));
              const visible = new Set(drawn.filter(([, isVisible]) => isVisible).map(([tool]) => tool.name));
              const wanted = new Set(drawn.filter(([, , isWanted]) => isWanted).map(([tool]) => tool.name));
              const isVisible = (tool: ToolDefinition) => visible.has(tool.name);
              const among = isRestricted ? { among: (tool: ToolDefinition) => wanted.has(tool.name) } : {};
              const asked = { text, type, limit, ...among };
              const hidden = await ask({ ...asked, tools: catalog, visible: isVisible });
              expect(hidden).toEqual(await ask({ ...asked, tools: catalog.filter(isVisible) }));
            },
          ),
          { numRuns: 300 },
        );
      },
      PATIENCE,
    );

    it(
      'answers on tools that lie on shared ones as if all of them were in one catalog, and leaves the shared ones alone',
      async () => {
        if (!make().canFork) return;
        // Required here, so that the testing kit also loads without fast-check.
        // oxlint-disable-next-line typescript/no-require-imports
        const { anyHistory, anyText, anyTool, fc } =
          require('../fakes/arbitrary-tools.js') as typeof import('../fakes/arbitrary-tools.js');
        await fc.assert(
          fc.asyncProperty(
            anyHistory,
            fc.array(fc.tuple(anyTool, fc.boolean()), { maxLength: 6 }),
            fc.constantFrom('', 'acme'),
            anyText,
            fc.constantFrom(...TYPES),
            async (states, drawn, owner, text, type) => {
              const index = make();
              let previous: CatalogSnapshot | undefined;
              for (const [revision, state] of states.entries()) {
                const shared = distinct(state);
                const below = snapshotOf(shared, revision + 1);
                await index.apply({ next: below, ...(previous && { previous }) });
                const taken = new Set(shared.map((tool) => tool.name));
                const own = distinct(drawn.map(([tool]) => ({ ...tool, owner }))).filter(
                  (tool) => !taken.has(tool.name),
                );
                const hidden = new Set(drawn.filter(([, isHidden]) => isHidden).map(([tool]) => tool.name));
                const visible = (tool: ToolDefinition) => !hidden.has(tool.name);
                const next = new CatalogSnapshot(revision + 1, own, [], below);
                const asked = { text, type, visible };
                const flat = await ask({ ...asked, tools: [...shared, ...own] });
                expect(await ask({ ...asked, tools: next.tools }, index, { next, previous: below })).toEqual(flat);
                expect(await ask({ text, type, tools: shared }, index, { next: below })).toEqual(
                  await ask({ text, type, tools: shared }),
                );
                previous = below;
              }
            },
          ),
          { numRuns: 60 },
        );
      },
      PATIENCE,
    );
  });
}

function named(answer: SearchAnswer, snapshot: CatalogSnapshot): NamedAnswer {
  const nameOf = (id: number) => snapshot.at(id).name;
  const hits = answer.hits.map(({ id, similar, ...hit }) => ({
    name: nameOf(id),
    ...hit,
    ...(similar && { similar: similar.map(nameOf) }),
  }));
  return { ...answer, hits };
}

function distinct(tools: readonly ToolDefinition[]): ToolDefinition[] {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}
