import { readFileSync } from 'node:fs';
import { card, CHECKS, iban, ibanLength } from './checksums.js';
import { FAMILIES, familyOf, fileOf, HALVES, KINDS, labelledTexts, SPLIT_MARK, type LabelledText } from './load.js';

/* Checks the labelled set itself: no rule of redaction takes part. */

const files = HALVES.flatMap((half) => FAMILIES.map((family) => ({ half, family })));
const textsOf = (half: (typeof HALVES)[number]) => FAMILIES.flatMap((family) => labelledTexts(half, family));
const all = HALVES.flatMap(textsOf);
const valuesOf = ({ text, spans }: LabelledText) =>
  spans.map(({ start, end, kind }) => ({ kind, value: text.slice(start, end) }));
const values = all.flatMap(valuesOf);

/** The text with every value replaced, so that only look-alikes are left. */
const withoutValues = ({ text, spans }: LabelledText) =>
  spans.toReversed().reduce((rest, { start, end }) => `${rest.slice(0, start)}\n#\n${rest.slice(end)}`, text);

/** The text with its values, numbers and blanks replaced: equal for two texts that differ in values only. */
const shapeOf = (labelled: LabelledText) => withoutValues(labelled).replaceAll(/\d+/g, '0').replaceAll(/\s+/g, ' ');

/** Every prefix of a country's length that could be an IBAN, at any place of the text. */
function ibansIn(text: string): string[] {
  return [...text.matchAll(/(?<![A-Za-z0-9])([A-Za-z]{2})\d{2}(?:[ \u00a0-]?[A-Za-z0-9])+/g)].flatMap(
    ([run, country]) => {
      const bare = run.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, ibanLength(country!) ?? 0);
      return iban(bare) ? [bare] : [];
    },
  );
}

const cardsIn = (text: string) =>
  [...text.matchAll(/(?<![\w.])\d(?:[ \u00a0.-]?\d){12,18}(?![\w])/g)].map(([run]) => run).filter(card);

describe('the labelled set', () => {
  it.each(files)('has about 60 texts for $family in $half, half of them without a value', ({ half, family }) => {
    const texts = labelledTexts(half, family);
    const withValue = texts.filter(({ spans }) => spans.some(({ kind }) => familyOf(kind) === family));
    expect(texts.length).toBeGreaterThanOrEqual(55);
    expect(texts.length).toBeLessThanOrEqual(75);
    expect(withValue.length / texts.length).toBeGreaterThan(0.4);
    expect(withValue.length / texts.length).toBeLessThan(0.6);
  });

  it.each(HALVES)('has every kind in %s', (half) => {
    const kinds = new Set(textsOf(half).flatMap(({ spans }) => spans.map(({ kind }) => kind)));
    expect([...kinds].toSorted()).toEqual(Object.values(KINDS).flat().toSorted());
  });

  it('has up to 5 spans in a text, in order, in range and without blanks at their ends', () => {
    for (const labelled of all) {
      const { text, spans } = labelled;
      expect(spans.length).toBeLessThanOrEqual(5);
      let end = 0;
      for (const span of spans) {
        expect(span.start).toBeGreaterThanOrEqual(end);
        expect(span.end).toBeGreaterThan(span.start);
        end = span.end;
      }
      expect(end).toBeLessThanOrEqual(text.length);
      for (const { value } of valuesOf(labelled)) expect(value).toBe(value.trim());
    }
  });

  it('has right check digits in every value', () => {
    const wrong = values.filter(({ kind, value }) =>
      kind.startsWith('card-') ? !card(value) : !(CHECKS[kind] ?? String)(value),
    );
    expect(wrong).toEqual([]);
  });

  it('has the outer form of an address or a number in every value', () => {
    const forms = { email: /^[^@\n]+@[^@\s]+\.[^@\s]+$|^\S+%40\S+$/, phone: /^[+\d(][\d\s()./-]{7,}\d$/ };
    for (const family of ['email', 'phone'] as const) {
      const wrong = values.filter(({ kind, value }) => familyOf(kind) === family && !forms[family].test(value));
      expect(wrong).toEqual([]);
    }
  });

  it('has no valid IBAN or card outside its spans', () => {
    expect(all.flatMap((labelled) => ibansIn(withoutValues(labelled)))).toEqual([]);
    expect(all.flatMap((labelled) => cardsIn(withoutValues(labelled)))).toEqual([]);
    // The search would find them.
    expect(ibansIn('to DE89 3704 0044 0532 0130 00 today')).toHaveLength(1);
    expect(cardsIn('to 4111 1111 1111 1111 today')).toHaveLength(1);
  });

  it('shares neither texts, nor their shapes, nor values between its halves', () => {
    const [tuned, heldOut] = HALVES.map((half) => {
      const texts = textsOf(half);
      return [...texts.map(shapeOf), ...texts.flatMap(valuesOf).map(({ value }) => value)];
    });
    expect(tuned!.filter((text) => heldOut!.includes(text))).toEqual([]);
    expect(new Set(all.map(({ text }) => text)).size).toBe(all.length);
  });

  it.each(files)('stores no secret of $family in $half in one piece', ({ half, family }) => {
    const stored = JSON.parse(readFileSync(fileOf(half, family), 'utf8')) as readonly LabelledText[];
    const whole = labelledTexts(half, family).flatMap((labelled, index) =>
      valuesOf(labelled).filter(
        ({ kind, value }) => familyOf(kind) === 'secrets' && stored[index]!.text.includes(value),
      ),
    );
    expect(whole).toEqual([]);
    expect(labelledTexts(half, family).filter(({ text }) => text.includes(SPLIT_MARK))).toEqual([]);
  });

  it('is smaller than 400 KB', () => {
    const sizes = files.map(({ half, family }) => readFileSync(fileOf(half, family)).length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(400 * 1024);
  });
});
