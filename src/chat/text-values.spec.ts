import { findValues, numberOf } from './text-values.js';

describe('findValues', () => {
  it.each([
    [`Write 'hello there' into it`, ['quoted hello there']],
    [`Say "it's fine" to the user's mother`, [`quoted it's fine`]],
    ['Read notes/welcome.txt, please.', ['path notes/welcome.txt']],
    ['Open /etc/hosts and ./a.md', ['path /etc/hosts', 'path ./a.md']],
    ['Find *.md and src/**/*.ts', ['pattern *.md', 'pattern src/**/*.ts']],
    ['Star nestjs/nest', ['path nestjs/nest']],
    ['Refund inv_1001 and #12', ['id inv_1001', 'id #12']],
    ['Pay €1,250.50 or 25 euros', ['money €1,250.50', 'money 25 euros']],
    [
      'Mail ada@example.com about https://example.com/a?b=c.',
      ['email ada@example.com', 'url https://example.com/a?b=c'],
    ],
    ['On 2026-03-01 at 17 and -2.5', ['date 2026-03-01', 'number 17', 'number -2.5']],
    ['Call Ada Lovelace and Bob', ['name Ada Lovelace', 'name Bob']],
    ['Make a folder named reports', ['labelled reports']],
    ['Look in the notes folder', ['labelled notes']],
    ['Delete the branch main', ['labelled main']],
    ['Run it with steps=3', ['labelled 3']],
    ['Look for files in notes', ['labelled notes']],
    ['List the directory tree', []],
  ])('reads %j', (text, expected) => {
    expect(findValues(text).map((value) => `${value.kind} ${value.text}`)).toEqual(expected);
  });

  it('knows the word that says what a value is', () => {
    const labels = (text: string) => findValues(text).map(({ text: value, label }) => [value, label]);
    expect(labels(`the title is "Bug", amount: 25, branch main, retries=3, the notes folder`)).toEqual([
      ['Bug', 'title'],
      ['25', 'amount'],
      ['main', 'branch'],
      ['3', 'retries'],
      ['notes', 'folder'],
    ]);
  });

  it('stands exactly where it says', () => {
    for (const text of [`Put 'a b' in the notes folder`, 'Refund 25 euros of inv_1001 named Ada Lovelace, k=v']) {
      for (const { start, end, text: value } of findValues(text)) expect(text.slice(start, end)).toContain(value);
    }
  });
});

describe('numberOf', () => {
  it.each([
    ['25 euros', 25],
    ['€1,250.50', 1250.5],
    ['99,50 EUR', 99.5],
    ['#12', 12],
    ['-3', -3],
    ['none', undefined],
  ])('reads %j as %p', (text, expected) => {
    expect(numberOf({ kind: 'number', text, start: 0, end: text.length })).toBe(expected);
  });
});
