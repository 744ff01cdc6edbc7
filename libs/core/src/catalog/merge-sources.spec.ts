import fc from 'fast-check';
import { FakeSource } from '../testing/fakes/fake-source.js';
import { foldedName, wireName } from '../tool/tool-name.js';
import { CatalogSnapshot } from '../tool/snapshot/catalog-snapshot.js';
import { ingest, type Ingested, type IngestedTool } from './ingest/ingest.js';
import { type Merged, mergeSources as mergeOwn, snapshotOf } from './merge-sources.js';

interface Tool {
  readonly name: string;
  readonly namespace?: string;
  readonly aliases?: readonly string[];
}

function loaded(name: string, owner: string, tools: readonly Tool[]): Ingested {
  const declarations = tools.map((tool) => ({ description: 'Does it.', ...tool }));
  return ingest(new FakeSource(name, [], { owner }), declarations, () => 'always');
}
const labels = ({ tools }: Pick<Ingested, 'tools'>) =>
  tools.map(({ definition }) => `${definition.owner}/${definition.source}/${definition.name}`);

/** Merges shared sources, then each tenant's own on top of them. */
function mergeSources(sources: readonly Pick<Ingested, 'tools'>[]): Merged {
  const ownerOf = ({ tools }: Pick<Ingested, 'tools'>) => tools[0]?.definition.owner ?? '';
  const of = (owner: string) => sources.filter((source) => ownerOf(source) === owner);
  const common = mergeOwn(of(''));
  const tenants = [...new Set(sources.map(ownerOf))].filter((owner) => owner !== '').toSorted();
  const all = [common, ...tenants.map((owner) => mergeOwn(of(owner), snapshotOf(1, common.tools)))];
  return { tools: all.flatMap(({ tools }) => tools), refused: all.flatMap(({ refused }) => refused) };
}

describe('mergeSources', () => {
  it('sorts by owner and then by name, for any order of sources', () => {
    const sources = [
      loaded('b', 'acme', [{ name: 'x' }]),
      loaded('c', '', [{ name: 'z' }, { name: 'y' }]),
      loaded('a', '', [{ name: 'x' }]),
    ];
    expect(labels(mergeSources(sources))).toEqual(['/a/a.x', '/c/c.y', '/c/c.z', 'acme/b/b.x']);
  });

  it('lets the source that was added first keep a name, and says who came too late', () => {
    const merged = mergeSources([
      loaded('first', '', [{ name: 'x', namespace: 'crm' }]),
      loaded('second', '', [{ name: 'x', namespace: 'crm' }, { name: 'y' }]),
    ]);
    expect(labels(merged)).toEqual(['/first/crm.x', '/second/second.y']);
    expect(merged.refused).toEqual([
      { source: 'second', owner: '', name: 'crm.x', code: 'DUPLICATE_TOOL', reason: expect.stringContaining('crm.x') },
    ]);
  });

  it('takes an alias for a name that is taken', () => {
    const merged = mergeSources([
      loaded('first', '', [{ name: 'x', aliases: ['second.y'] }]),
      loaded('second', '', [{ name: 'y' }, { name: 'z', aliases: ['first.x'] }]),
    ]);
    expect(labels(merged)).toEqual(['/first/first.x']);
    expect(merged.refused.map(({ name }) => name)).toEqual(['second.y', 'second.z']);
  });

  it('does not let a tenant shadow a shared tool, even if its source was added first', () => {
    const merged = mergeSources([
      loaded('own', 'acme', [{ name: 'x', namespace: 'crm' }, { name: 'free' }]),
      loaded('crm', '', [{ name: 'x' }]),
    ]);
    expect(labels(merged)).toEqual(['/crm/crm.x', 'acme/own/own.free']);
  });

  it('lets two tenants use one name', () => {
    const merged = mergeSources([loaded('own', 'acme', [{ name: 'x' }]), loaded('own', 'globex', [{ name: 'x' }])]);
    expect(labels(merged)).toEqual(['acme/own/own.x', 'globex/own/own.x']);
    expect(merged.refused).toEqual([]);
  });

  it('gives every name one meaning for each tenant, and loses no tool without a word', () => {
    const name = fc.constantFrom('x', 'y', 'z');
    const tool = fc.record({
      name,
      namespace: fc.constantFrom('n', 'm'),
      aliases: fc.array(
        name.map((alias) => `n.${alias}`),
        { maxLength: 2 },
      ),
    });
    const source = fc.record({
      owner: fc.constantFrom('', '', 'acme', 'globex'),
      tools: fc.array(tool, { maxLength: 4 }),
    });
    fc.assert(
      fc.property(fc.array(source, { maxLength: 5 }), (sources) => {
        const all = sources.map(({ owner, tools }, index) => loaded(`s${index}`, owner, tools));
        const merged = mergeSources(all);
        expect(merged.tools.length + merged.refused.length).toBe(all.flatMap(({ tools }) => tools).length);
        const snapshot = new CatalogSnapshot(
          1,
          merged.tools.map(({ definition }) => definition),
        );
        for (const tenant of ['acme', 'globex', 'other']) {
          const own = [...snapshot.ownedBy(tenant).ids()].map((id) => snapshot.at(id));
          const claims = own.flatMap(({ name: canonical, aliases }) => [...new Set([canonical, ...aliases])]);
          expect(new Set(claims).size).toBe(claims.length);
        }
      }),
      { numRuns: 300 },
    );
  });

  it.each<[string, string, string, string, string]>([
    ['a run of separators', 'acme', '_status', 'acme_', 'status'],
    ['a run of separators, the other way round', 'acme_', 'status', 'acme', '_status'],
    ['case', 'acme', 'status', 'ACME', 'Status'],
    ['a dot for a line', 'acme', 'get.status', 'acme.get', 'status'],
    ['two lines for one', 'acme', 'get_status', 'acme', 'get__status'],
  ])('refuses a name of another source that differs only by %s', (_, namespace, name, otherNamespace, otherName) => {
    const first = loaded('first', '', [{ name, namespace }]);
    const second = loaded('second', '', [{ name: otherName, namespace: otherNamespace }, { name: 'free' }]);
    const merged = mergeSources([first, second]);
    expect(labels(merged)).toEqual([`/first/${namespace}.${name}`, '/second/second.free']);
    expect(merged.refused).toMatchObject([
      { source: 'second', code: 'DUPLICATE_TOOL', reason: expect.stringContaining('source first') },
    ]);
  });

  it('accepts names that fold alike within one source: they shadow no other tool', () => {
    const merged = mergeSources([loaded('api', '', [{ name: 'getUser' }, { name: 'getuser' }, { name: 'get_user' }])]);
    expect(merged.tools).toHaveLength(3);
  });

  it('refuses an alias that reads like a name of another source', () => {
    const merged = mergeSources([
      loaded('first', '', [{ name: 'x', namespace: 'crm' }]),
      loaded('second', '', [{ name: 'y', aliases: ['CRM.X'] }]),
    ]);
    expect(merged.refused).toMatchObject([{ name: 'second.y', reason: expect.stringContaining('crm.x') }]);
  });

  it('refuses tools in the namespace of another source, unless both declared it', () => {
    const merged = mergeSources([
      loaded('git.hub', '', [{ name: 'star' }]),
      loaded('git', '', [{ name: 'hub.steal' }, { name: 'hub_list' }]),
      loaded('GIT.HUB', '', [{ name: 'steal' }]),
      loaded('more', '', [{ name: 'fork', namespace: 'git.hub' }]),
      loaded('parts', '', [{ name: 'fork', namespace: 'git.hub.parts' }]),
      loaded('own', 'acme', [{ name: 'delete_all', namespace: 'git.hub' }]),
    ]);
    expect(labels(merged)).toEqual(
      ['/git/git.hub_list', '/more/git.hub.fork', '/git.hub/git.hub.star', '/parts/git.hub.parts.fork'].toSorted(
        (a, b) => (a.split('/')[2]! < b.split('/')[2]! ? -1 : 1),
      ),
    );
    expect(merged.refused.map(({ name, reason }) => [name, reason])).toEqual(
      [
        ['git.hub.steal', 'git.hub'],
        ['GIT.HUB.steal', 'git.hub'],
        // Of the tools below that share the namespace, the first by name.
        ['git.hub.delete_all', 'more'],
      ].map(([name, source]) => [name, `its name stands in the namespace git.hub of source ${source}`]),
    );
  });

  describe('for any names of sources', () => {
    const namespace = fc.constantFrom('acme', 'acme_', 'ACME', 'acme.get', 'acme-get', 'globex');
    const raw = fc.constantFrom(
      'status',
      '_status',
      'Status',
      'get.status',
      'get_status',
      'get__status',
      '-status',
      'x',
    );
    const source = fc.record({
      owner: fc.constantFrom('', '', 'acme', 'globex'),
      tools: fc.array(
        fc.record({
          name: raw,
          namespace,
          aliases: fc.array(
            raw.map((each) => `acme.${each}`),
            { maxLength: 1 },
          ),
        }),
        { maxLength: 3 },
      ),
    });
    const sources = fc
      .array(source, { maxLength: 6 })
      .map((all) => all.map(({ owner, tools }, at) => loaded(`s${at}`, owner, tools)));

    it('every replaced tool is reported, and no two sources of one tenant have names that fold alike', () => {
      fc.assert(
        fc.property(sources, (all) => {
          const merged = mergeSources(all);
          expect(merged.tools.length + merged.refused.length).toBe(all.flatMap(({ tools }) => tools).length);
          for (const tenant of ['acme', 'globex', 'other']) {
            const holders = new Map<string, string>();
            const seen = merged.tools.filter(({ definition }) => ['', tenant].includes(definition.owner));
            for (const { definition } of seen) {
              for (const name of [definition.name, ...definition.aliases].map(foldedName)) {
                expect([name, holders.get(name) ?? definition.source]).toEqual([name, definition.source]);
                holders.set(name, definition.source);
              }
            }
          }
        }),
        { numRuns: 200 },
      );
    });

    it('a source that is added later, or is a tenant’s own, takes no tool away', () => {
      fc.assert(
        fc.property(sources, sources, (first, later) => {
          const before = labels(mergeSources(first));
          const renamedLater = later.map(({ tools, ...rest }) => ({ ...rest, tools: tools.map(asLater) }));
          expect(labels(mergeSources([...first, ...renamedLater]))).toEqual(expect.arrayContaining(shared(before)));
          const tenants = renamedLater.map((each) => ({
            ...each,
            tools: each.tools.filter(({ definition }) => definition.owner !== ''),
          }));
          expect(labels(mergeSources([...tenants, ...first]))).toEqual(expect.arrayContaining(shared(before)));
        }),
        { numRuns: 150 },
      );
    });
    const shared = (all: readonly string[]) => all.filter((label) => label.startsWith('/'));
    const asLater = (tool: IngestedTool): IngestedTool => ({
      ...tool,
      definition: { ...tool.definition, source: `later ${tool.definition.source}` },
    });

    it('short names stay apart and lead back', () => {
      const part = fc.string({ unit: fc.constantFrom('a', '_', '-', '.', 'B'), minLength: 1, maxLength: 90 });
      fc.assert(
        fc.property(fc.uniqueArray(part, { maxLength: 8 }), (names) => {
          const merged = mergeSources([
            loaded(
              's',
              '',
              names.map((name) => ({ name })),
            ),
          ]);
          for (const length of [64, 128]) {
            const byWire = new Map(merged.tools.map(({ definition: { name } }) => [wireName(name, length), name]));
            expect(byWire.size).toBe(merged.tools.length);
            for (const wire of byWire.keys()) expect(wire).toMatch(/^[A-Za-z0-9_-]+$/);
            expect(Math.max(0, ...[...byWire.keys()].map((wire) => wire.length))).toBeLessThanOrEqual(length);
          }
        }),
        { numRuns: 150 },
      );
    });
  });
});
