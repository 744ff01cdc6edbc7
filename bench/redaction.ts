import { PatternRedactor } from '@tool-search/redaction';
import { labelledTexts } from './redaction/labelled-texts.js';
import { scores } from './redaction/score.js';
import { main } from './command/command.js';
import { text } from './command/options.js';

main({
  purpose: 'Precision and recall of redaction by family. Prints figures only, never a text: held-out must stay unread.',
  options: { data: text('FOLDER'), half: text('tuned|held-out') },
  run: async ({ data = 'test/redaction/labelled', half = 'tuned' }) => ({
    half,
    families: await scores(new PatternRedactor(), labelledTexts(data, half)),
  }),
  text: ({ half, families }) =>
    [
      `${half}: family, precision, recall, values found, findings that are right`,
      ...families.map(
        ({ family, precision, recall, found, values, right, findings }) =>
          `${family.padEnd(12)} ${precision.toFixed(3)} ${recall.toFixed(3)}  ${found}/${values}  ${right}/${findings}`,
      ),
    ].join('\n'),
});
