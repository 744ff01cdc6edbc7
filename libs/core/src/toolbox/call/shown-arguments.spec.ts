import fc from 'fast-check';
import { shownArguments } from './shown-arguments.js';

describe('arguments as they are shown to a person', () => {
  it('have a line for each member, by structure', () => {
    const input = { file: '/etc/passwd', to: [{ id: 1, 'odd name': true }, 'b'], none: {}, nothing: null, list: [] };
    expect(shownArguments(input)).toBe(
      'file: "/etc/passwd"\nto[0].id: 1\nto[0]."odd name": true\nto[1]: "b"\nnone: {}\nnothing: null\nlist: []',
    );
    expect([shownArguments({}), shownArguments('text'), shownArguments(null)]).toEqual(['{}', '"text"', 'null']);
  });

  it('show every member however long the others are, and how much is missing', () => {
    const shown = shownArguments({ note: 'a'.repeat(100_000), file: '/etc/passwd' });
    expect(shown).toMatch(/^note: "a{399}… 99602 characters more\nfile: "\/etc\/passwd"$/);
  });

  it('cannot be imitated by a value or a name, nor turned around', () => {
    const shown = shownArguments({ 'note"\nfile': 'a\nfile: "/tmp/harmless"', to: '\u202egpj.exe\u200b\u2028x' });
    expect(shown?.split('\n')).toEqual([
      '"note\\"\\nfile": "a\\nfile: \\"/tmp/harmless\\""',
      'to: "\\u{202e}gpj.exe\\u{200b}\\u{2028}x"',
    ]);
  });

  it.each([
    ['a selector of a variant', 'pay\u{e0148}\u{e01ef}', 'pay\\u{e0148}\\u{e01ef}'],
    ['a joiner of graphemes', '1\u{34f}00', '1\\u{34f}00'],
    ['Mongolian selectors', 'a\u{180b}\u{180f}', 'a\\u{180b}\\u{180f}'],
    ['an inherent vowel of Khmer', 'a\u{17b4}', 'a\\u{17b4}'],
    ['a filler of Hangul', 'a\u{3164}\u{115f}', 'a\\u{3164}\\u{115f}'],
    ['a blank of braille', 'a\u{2800}b', 'a\\u{2800}b'],
  ])('show as an escape what nobody sees: %s', (_what, hidden, shown) => {
    expect(shownArguments({ note: hidden, [`${hidden}!`]: 1 })).toBe(`note: "${shown}"\n"${shown}!": 1`);
  });

  it('are not shown if not all members can be', () => {
    expect(
      shownArguments(Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`member_${n}`, n]))),
    ).toBeUndefined();
    expect(shownArguments({ [`a${'b'.repeat(5_000)}`]: 1 })).toBeUndefined();
    let deep: unknown = 1;
    for (let level = 0; level < 40; level++) deep = { deep };
    expect(shownArguments(deep)).toBeUndefined();
  });

  it('contain every member of any arguments, in at most 4,000 visible characters', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'binary', maxLength: 20 }), fc.jsonValue()), (input) => {
        const shown = shownArguments(input);
        if (shown === undefined) return;
        expect(shown.length).toBeLessThanOrEqual(4_000);
        expect(shown).not.toMatch(/[^\P{C}\n]|\p{Default_Ignorable_Code_Point}|[\u2028\u2029\u2800]/u);
        const first = shown.split('\n').map((each) => each.slice(0, 2));
        for (const name of Object.keys(input)) if (/^[a-z]\w?$/.test(name)) expect(first.join('\n')).toContain(name[0]);
      }),
    );
  });
});
