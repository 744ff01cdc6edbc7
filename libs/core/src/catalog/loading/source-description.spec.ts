import fc from 'fast-check';
import { checkedSourceDescription } from './source-description.js';

describe('the description of a source', () => {
  it('becomes one line, cut between two words', () => {
    expect(checkedSourceDescription(' Mail\n\n\tand calendar. ')).toEqual({ text: 'Mail and calendar.' });
    const { text } = checkedSourceDescription('word '.repeat(1_000));
    expect(text).toBe('word '.repeat(100).trim());
    expect(checkedSourceDescription('a'.repeat(500) + ' b').text).toBe('a'.repeat(500));
  });

  it('is absent if it is empty', () => {
    for (const nothing of [undefined, '', ' \n']) expect(checkedSourceDescription(nothing)).toEqual({});
  });

  it('is dropped with a reason when it hides something or is no text', () => {
    expect(checkedSourceDescription('Mail\u202e')).toEqual({ fault: expect.stringContaining('does not see') });
    for (const other of [null, 7, {}, ['Mail']]) {
      expect(checkedSourceDescription(other)).toEqual({ fault: expect.stringContaining('not a text') });
    }
  });

  it('is never longer than 500 characters and never ends in half of one', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', ' ', '创', '😀'), maxLength: 3_000 }), (declared) => {
        const { text = '' } = checkedSourceDescription(declared);
        expect(text.length).toBeLessThanOrEqual(500);
        expect(text).not.toMatch(/\p{Cs}|^\s|\s$/u);
        expect(declared.replace(/\s+/g, ' ').trim().startsWith(text)).toBe(true);
      }),
    );
  });
});
