import { fakeTool } from '../../testing/fakes/fake-tools.js';
import { CatalogSnapshot } from './catalog-snapshot.js';
import type { ToolExecutor } from '../tool-source.js';

const TOOLS = [
  fakeTool({ name: 'crm.read', aliases: ['crm.get', 'old.read'] }),
  fakeTool({ name: 'own.sync', owner: 'acme' }),
  fakeTool({ name: 'own.sync', owner: 'globex', aliases: ['own.pull'] }),
];
const snapshot = new CatalogSnapshot(7, TOOLS);

describe('CatalogSnapshot', () => {
  it('finds shared tools for everybody, by name and by alias', () => {
    for (const name of ['crm.read', 'crm.get', 'old.read']) {
      expect(['acme', 'globex', 'other'].map((tenant) => snapshot.idOf(name, tenant))).toEqual([0, 0, 0]);
    }
  });

  it('finds an owned tool for its owner alone', () => {
    expect(['acme', 'globex', 'other', ''].map((tenant) => snapshot.idOf('own.sync', tenant))).toEqual([
      1,
      2,
      undefined,
      undefined,
    ]);
    expect(['acme', 'globex'].map((tenant) => snapshot.idOf('own.pull', tenant))).toEqual([undefined, 2]);
    expect(['acme', 'globex', 'other'].map((tenant) => [...snapshot.ownedBy(tenant).ids()])).toEqual([
      [0, 1],
      [0, 2],
      [0],
    ]);
  });

  it('lists what it adds to the snapshot below, context items included, in catalog order', () => {
    const namesOf = ({ ownGoverned }: CatalogSnapshot) => ownGoverned.map(({ owner, name }) => `${owner}/${name}`);
    const shared = new CatalogSnapshot(
      1,
      [fakeTool({ name: 'crm.read' }), fakeTool({ name: 'crm.write' })],
      [],
      undefined,
      new CatalogSnapshot(1, [fakeTool({ name: 'crm.guide' })]),
    );
    const own = [fakeTool({ name: 'own.sync', owner: 'acme' })];
    const items = new CatalogSnapshot(2, [fakeTool({ name: 'own.guide', owner: 'acme' })], [], shared.items);
    expect(namesOf(shared)).toEqual(['/crm.guide', '/crm.read', '/crm.write']);
    expect(namesOf(new CatalogSnapshot(2, own, [], shared))).toEqual(['acme/own.sync']);
    expect(namesOf(new CatalogSnapshot(2, own, [], shared, items))).toEqual(['acme/own.guide', 'acme/own.sync']);
  });

  it('finds a name as it is written and no other', () => {
    const near = ['CRM.read', 'crm.read ', 'crm', 'read', '', '__proto__', 'constructor', 'toString', 'ｃrm.read'];
    expect(near.map((name) => snapshot.idOf(name, 'acme'))).toEqual(near.map(() => undefined));
  });

  it('knows who runs a tool, in the order of the tools', () => {
    const executors = TOOLS.map(({ name }) => ({ localName: name }) as ToolExecutor);
    expect(new CatalogSnapshot(1, TOOLS, executors).executorOf(1)).toBe(executors[1]);
  });

  it('refuses an id of another snapshot', () => {
    expect(() => snapshot.at(3)).toThrow(RangeError);
    expect(() => snapshot.at(-1)).toThrow(RangeError);
    expect(() => snapshot.executorOf(0)).toThrow(RangeError);
  });
});
