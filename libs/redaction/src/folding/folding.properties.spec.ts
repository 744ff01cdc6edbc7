import fc from 'fast-check';
import { PatternRedactor } from '../pattern-redactor.js';

// Assembled here, so that the repository holds nothing that looks like a credential.
const TOKEN = `ghp_${'aB3dE5gH7jK9mN2pQ4rS6tU8vW1xY0zC'}1234`;
/** Values that are found wherever they stand, in one kind each. */
const VALUES: readonly (readonly [kind: string, value: string])[] = [
  ['email', 'ada.lovelace@example.org'],
  ['email', 'x-ray+news@mail.example.co.uk'],
  ['phone', '+49 30 23125-417'],
  ['phone', '(212) 555-0147'],
  ['phone', '+33 1 99 00 12 34'],
  ['iban', 'DE89 3704 0044 0532 0130 00'],
  ['iban', 'GB82-WEST-1234-5698-7654-32'],
  ['card', '4111 1111 1111 1111'],
  ['card', '5555-5555-5555-4444'],
  ['card', '378282246310005'],
  ['national-id', '826-38-2651'],
  ['national-id', '756.9217.0769.85'],
  ['national-id', 'AB 12 34 56 C'],
  ['secret', TOKEN],
];
const BLANKS = '\u00a0\u2002\u2003\u2005\u2007\u2009\u200a\u202f\u205f\u3000';
/** Dashes between digits; between other characters only hyphens are one spelling. */
const DASHES = '\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u301c\u30fc\ufe58\ufe63\uff0d\u00ad';
const HYPHENS = '\u2010\u2011\ufe63\uff0d';
/** The zeros of scripts with digits of their own. */
const ZEROS = [
  0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xe50, 0xf20, 0x1040, 0x17e0, 0x1810, 0xff10, 0x104a0, 0x1d7ce,
  0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6, 0x1fbf0,
];
const INVISIBLE = [
  '\u200b',
  '\u200c',
  '\u200d',
  '\u2060',
  '\ufeff',
  '\u200e',
  '\u202c',
  '\u2069',
  '\u00ad',
  '\ufe0f',
  '\u034f',
  '\u0000',
  '\u001b[1m',
];

/** How one character is spelled: one number for each choice. */
type Spelling = (char: string, choice: number, before: string, after: string) => string;
const pick = (all: string, choice: number) => Array.from(all)[choice % Array.from(all).length] ?? '';
const isDigit = (char: string) => /^\d$/.test(char);

const blanks: Spelling = (char, choice) => (char === ' ' ? pick(BLANKS, choice) : char);
const dashes: Spelling = (char, choice, before, after) =>
  char !== '-' ? char : pick(isDigit(before) && isDigit(after) ? DASHES : HYPHENS, choice);
const wide: Spelling = (char, choice) =>
  choice % 2 === 0 && /[!-~]/.test(char) ? String.fromCharCode(char.charCodeAt(0) + 0xfee0) : char;
const digits: Spelling = (char, choice) =>
  isDigit(char) ? String.fromCodePoint((ZEROS[choice % ZEROS.length] ?? 48) + Number(char)) : char;
const letters: Spelling = (char, choice) => {
  const at = /[A-Z]/.test(char) ? char.charCodeAt(0) - 65 : /[a-z]/.test(char) ? char.charCodeAt(0) - 71 : undefined;
  return at === undefined || choice % 3 === 0
    ? char
    : String.fromCodePoint((choice % 3 === 1 ? 0x1d400 : 0x1d5a0) + at);
};
const marks: Spelling = (char, choice) => (isDigit(char) ? char + pick('\u0332\u0336\u20e3', choice) : char);
const SPELLINGS = { blanks, dashes, wide, digits, letters, marks };

function spelled(value: string, spelling: Spelling, choices: readonly number[]): string {
  return Array.from(value, (char, at) =>
    spelling(char, choices[at % choices.length] ?? 0, value[at - 1] ?? '', value[at + 1] ?? ''),
  ).join('');
}

/** A value with invisible characters between some of its characters. */
function withInvisible(value: string, choices: readonly number[]): string {
  return Array.from(value, (char, at) => {
    const choice = choices[at % choices.length] ?? 0;
    return at > 0 && choice % 3 === 0 ? (INVISIBLE[choice % INVISIBLE.length] ?? '') + char : char;
  }).join('');
}

/** A value with some of its characters escaped, and all that an address cannot have. */
function escaped(value: string, choices: readonly number[]): string {
  return Array.from(value, (char, at) => {
    const choice = choices[at % choices.length] ?? 0;
    if (/[A-Za-z0-9._-]/.test(char) && choice % 4 !== 0) return char;
    const once = Array.from(Buffer.from(char), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
    const cased = choice % 2 === 0 ? once.toUpperCase() : once;
    return choice % 5 === 0 ? cased.replaceAll('%', '%25') : cased;
  }).join('');
}

const value = fc.constantFrom(...VALUES);
const choices = fc.array(fc.nat({ max: 1000 }), { minLength: 1, maxLength: 40 });
const frame = fc.constantFrom(
  ['', ''],
  ['see ', ', please'],
  ['Größe „', '“ – danke'],
  ['請看：', '。谢谢'],
  ['(', ')'],
  ['a\u00a0b\u200b c ', '\nnext'],
);
const redactor = new PatternRedactor();

/** Whether exactly the value is found between the two parts. */
async function expectFound(before: string, [kind, text]: readonly [string, string], after: string) {
  const found = await redactor.find(before + text + after);
  expect({ text: before + text + after, found }).toEqual({
    text: before + text + after,
    found: [{ start: before.length, end: before.length + text.length, kind }],
  });
}

describe('values in another spelling', () => {
  it.each(Object.keys(SPELLINGS) as (keyof typeof SPELLINGS)[])(
    'are found exactly where they stand: %s',
    async (name) => {
      await fc.assert(
        fc.asyncProperty(value, choices, frame, async ([kind, text], random, [before = '', after = '']) => {
          await expectFound(before, [kind, spelled(text, SPELLINGS[name], random)], after);
        }),
      );
    },
  );

  it('are found exactly where they stand: two spellings at once', async () => {
    const pair = fc.constantFrom(
      ...([
        [blanks, digits],
        [dashes, digits],
        [wide, marks],
        [blanks, dashes],
        [letters, digits],
      ] as const),
    );
    await fc.assert(
      fc.asyncProperty(
        value,
        pair,
        choices,
        frame,
        async ([kind, text], [one, other], random, [before = '', after = '']) => {
          const both: Spelling = (char, choice, left, right) => {
            const folded = one(char, choice, left, right);
            return folded === char ? other(char, choice, left, right) : folded;
          };
          await expectFound(before, [kind, spelled(text, both, random)], after);
        },
      ),
    );
  });

  it('are found exactly where they stand: characters that nobody sees inside of them', async () => {
    await fc.assert(
      fc.asyncProperty(value, choices, frame, async ([kind, text], random, [before = '', after = '']) => {
        await expectFound(before, [kind, withInvisible(text, random)], after);
      }),
    );
  });

  it('are found exactly where they stand: escaped in an address', async () => {
    const address = fc.constantFrom(
      ['https://shop.example/find?q=red%20shoes&to=', '&page=2'],
      ['see https://shop.example/people/', '/mail#top and reply'],
      ['file:///inbox/', '/%C3%BC'],
      ['[doc](https://shop.example/?a=', ')'],
      ['value=', '&next=%2Fhome'],
    );
    await fc.assert(
      fc.asyncProperty(value, choices, address, async ([kind, text], random, [before = '', after = '']) => {
        await expectFound(before, [kind, escaped(text, random)], after);
      }),
    );
  });

  it('are found exactly where they stand: in other forms, then escaped', async () => {
    await fc.assert(
      fc.asyncProperty(
        value,
        fc.constantFrom(blanks, digits, wide),
        choices,
        async ([kind, text], spelling, random) => {
          const value = encodeURIComponent(spelled(text, spelling, random));
          await expectFound('https://shop.example/find?to=', [kind, value], '&page=2');
        },
      ),
    );
  });
});

describe('a text without values', () => {
  it('stays as it is, whatever its characters', async () => {
    const part = fc.constantFrom(
      '½',
      '…',
      '№ 12',
      '①',
      'x²',
      '10–12',
      '50%',
      '%20',
      'é',
      'e\u0301',
      '👩‍👩‍👧',
      'ﬁ',
      '。',
      '\u200b',
      '\u00ad',
      'ab',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 30 }), async (parts) => {
        const text = parts.join(' ');
        expect(await redactor.redact([{ text, key: '' }], { signal: new AbortController().signal })).toEqual([text]);
      }),
    );
  });
});
