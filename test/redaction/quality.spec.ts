import { PatternRedactor } from '@tool-search/redaction';
import { join } from 'node:path';
import { labelledTexts } from '../../bench/redaction/labelled-texts.js';
import { scores } from '../../bench/redaction/score.js';
import { FAMILIES, HALVES, labelledTexts as checkedTexts } from './labelled/load.js';

const FOLDER = join(__dirname, 'labelled');

describe.each(HALVES)('the redactor on the labelled texts, half %s', (half) => {
  it('finds 90 % of the values of each family, and is right in 95 % of its findings', async () => {
    const results = await scores(new PatternRedactor(), labelledTexts(FOLDER, half));
    // Figures only: a text of the held-out half must not be printed.
    const below = results
      .filter(({ precision, recall }) => precision < 0.95 || recall < 0.9)
      .map(({ family, precision, recall }) => ({ family, precision, recall }));
    expect(below).toEqual([]);
    expect(results.every(({ values }) => values > 35)).toBe(true);
  });

  it('reads as many texts and values as the set has', () => {
    const read = labelledTexts(FOLDER, half);
    const all = FAMILIES.flatMap((family) => checkedTexts(half, family));
    expect([read.length, read.flatMap(({ spans }) => spans).length]).toEqual([
      all.length,
      all.flatMap(({ spans }) => spans).length,
    ]);
  });
});
