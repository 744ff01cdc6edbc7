import fc from 'fast-check';
import { listPage } from './list-page.js';

const named = (...names: readonly string[]) => names.map((name) => ({ name }));
const names = ({ items }: { items: readonly { name: string }[] }) => items.map(({ name }) => name);
const cursorOf = (text: string) => Buffer.from(text).toString('base64url');

describe('listPage', () => {
  it.each([
    ['an empty list', [], 2, []],
    ['one page', ['a', 'b'], 2, [['a', 'b']]],
    ['two pages', ['a', 'b', 'c'], 2, [['a', 'b'], ['c']]],
    ['pages of one', ['a', 'b', 'c'], 1, [['a'], ['b'], ['c']]],
  ])('%s', (_, all, size, pages) => {
    let cursor: string | undefined;
    const seen: (readonly string[])[] = [];
    do {
      const page = listPage(named(...all), cursor, size);
      if (page.items.length > 0) seen.push(names(page));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(pages);
  });

  it('neither repeats nor skips an item that stays, for any changes between two pages', () => {
    const name = fc.stringMatching(/^[a-c]{1,3}$/);
    const set = fc.uniqueArray(name, { maxLength: 12 });
    fc.assert(
      fc.property(set, set, fc.integer({ min: 1, max: 5 }), (stays, others, size) => {
        const before = [...new Set([...stays, ...others])].toSorted();
        const after = [...stays].toSorted();
        const first = listPage(named(...before), undefined, size);
        const seen = [...names(first)];
        let cursor = first.nextCursor;
        while (cursor !== undefined) {
          const page = listPage(named(...after), cursor, size);
          seen.push(...names(page));
          cursor = page.nextCursor;
        }
        expect(new Set(seen).size).toBe(seen.length);
        expect(stays.filter((each) => !seen.includes(each))).toEqual([]);
      }),
    );
  });

  it('begins after the name of a cursor that is in no list', () => {
    expect(names(listPage(named('a', 'c'), cursorOf('1 b'), 5))).toEqual(['c']);
    expect(names(listPage(named('a', 'c'), cursorOf('1 z'), 5))).toEqual([]);
  });

  it.each([
    '',
    'x',
    cursorOf('a'),
    cursorOf('2 a'),
    cursorOf('1 '),
    cursorOf('1 a\n'),
    cursorOf(`1 ${'a'.repeat(200)}`),
  ])('refuses the cursor %j', (cursor) => {
    expect(() => listPage(named('a'), cursor, 5)).toThrow(expect.objectContaining({ code: -32602 }));
  });
});
