import fc from 'fast-check';
import { FakeSource } from '../testing/fake-source.js';
import { CatalogSnapshot } from '../tool/catalog-snapshot.js';
import { ingest, type Ingested } from './ingest.js';
import { mergeSources } from './merge-sources.js';

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

describe('mergeSources', () => {
  it('sorts by owner and then by name, whatever the order of sources', () => {
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
});
