import { join } from 'node:path';
import { growingCatalogs } from './growing-catalog.js';
import { readLabelledSet } from './labelled-set.js';

const set = (name: string) => readLabelledSet(join(__dirname, 'invented', `${name}.json`));
const namesOf = ({ tools }: ReturnType<typeof set>) => tools.map(({ name }) => name);

describe('growingCatalogs', () => {
  const grown = growingCatalogs(set('bakery'), [set('garden')], [2, 3, 4, 6]);

  it('makes catalogs of these sizes, each with all tools of the one before', () => {
    expect(grown.map(({ tools }) => tools.length)).toEqual([2, 3, 4, 6]);
    for (const [index, catalog] of grown.slice(1).entries()) {
      expect(namesOf(catalog)).toEqual(expect.arrayContaining(namesOf(grown[index]!)));
    }
  });

  it('asks the same requests of all of them, those that the smallest serves completely', () => {
    const smallest = new Set(namesOf(grown[0]!));
    const [{ queries } = { queries: [] }] = grown;
    expect(queries).toEqual(
      set('bakery').queries.filter(
        ({ relevant }) => relevant.size > 0 && [...relevant].every((name) => smallest.has(name)),
      ),
    );
    expect(queries).not.toEqual([]);
    for (const catalog of grown) expect(catalog.queries).toEqual(queries);
  });

  it("adds the set's own tools first, and no tool that looks like one of them", () => {
    expect(namesOf(grown[2]!)).toEqual(namesOf(set('bakery')));
    const added = namesOf(grown[3]!).filter((name) => !namesOf(set('bakery')).includes(name));
    expect(added).toEqual(['garden.mow_lawn', 'garden.water_plants']);
  });

  it('says how many tools there are if they are too few', () => {
    expect(() => growingCatalogs(set('bakery'), [set('garden')], [2, 7])).toThrow(
      'bakery and the other sets have 6 tools, not 7',
    );
  });
});
