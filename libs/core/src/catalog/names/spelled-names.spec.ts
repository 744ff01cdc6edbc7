import fc from 'fast-check';
import { fakeTool } from '../../testing/fakes/fake-tools.js';
import { CatalogSnapshot, catalogOrder } from '../../tool/snapshot/catalog-snapshot.js';
import { wireName } from '../../tool/tool-name.js';
import { bareNameIds, spelledId } from './spelled-names.js';

const snapshotOf = (names: readonly string[], owner = '', below?: CatalogSnapshot) =>
  new CatalogSnapshot(
    1,
    names.map((name) => fakeTool({ name, owner, namespace: name.split('.')[0]! })).sort(catalogOrder),
    [],
    below,
  );

describe('a name that is not a tool’s own', () => {
  it('is resolved as a wire name, among shared tools and those of its tenant', async () => {
    const name = fc.oneof(fc.stringMatching(/^[a-c._-]{1,6}$/), fc.stringMatching(/^[a-c._-]{60,128}$/));
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(name, { minLength: 1, maxLength: 12 }), fc.nat(), async (names, cut) => {
        const at = cut % names.length;
        const shared = snapshotOf(names.slice(0, at));
        const snapshot = snapshotOf(names.slice(at), 'acme', shared);
        for (const each of names) {
          for (const length of [64, 128]) {
            const id = await spelledId(snapshot, wireName(each, length), 'acme');
            if (id === undefined || snapshot.at(id).name !== each)
              throw new Error(`${wireName(each, length)} of ${each} is ${id}`);
          }
        }
        for (const own of names.slice(at)) {
          const id = await spelledId(snapshot, wireName(own), 'globex');
          if (id !== undefined && snapshot.at(id).owner !== '') throw new Error(`globex means ${own} of acme`);
        }
      }),
    );
  });

  it('is resolved as a folded name, unless several tools fold to it', async () => {
    const snapshot = snapshotOf(['crm.list_all', 'crm.get.one', 'crm.get_one']);
    expect(await spelledId(snapshot, 'CRM-list.all', '')).toBe(snapshot.idOf('crm.list_all', ''));
    for (const none of ['crm_get_one', 'crm_list', 'crm list all', '']) {
      expect(await spelledId(snapshot, none, '')).toBeUndefined();
    }
  });

  it('may be the name of several tools within their namespaces', async () => {
    const snapshot = snapshotOf(['billing.list', 'crm.list', 'crm.find', 'list']);
    const named = async (name: string) => (await bareNameIds(snapshot, name, '')).map((id) => snapshot.at(id).name);
    expect(await named('list')).toEqual(['billing.list', 'crm.list']);
    expect(await named('find')).toEqual(['crm.find']);
    expect(await named('crm.find')).toEqual([]);
  });
});
