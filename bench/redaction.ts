import { PatternRedactor } from '@tool-search/redaction';
import { parseArgs } from 'node:util';
import { labelledTexts } from './redaction/labelled-texts.js';
import { scores } from './redaction/score.js';

/** Prints figures only, never a text: `held-out` must stay unread. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      data: { type: 'string', default: 'test/redaction/labelled' },
      half: { type: 'string', default: 'tuned' },
      json: { type: 'boolean', default: false },
    },
  });
  const results = await scores(new PatternRedactor(), labelledTexts(values.data, values.half));
  if (values.json) return void process.stdout.write(`${JSON.stringify({ half: values.half, families: results })}\n`);
  process.stdout.write(`${values.half}: family, precision, recall, values found, findings that are right\n`);
  for (const { family, precision, recall, found, values: all, right, findings } of results) {
    process.stdout.write(
      `${family.padEnd(12)} ${precision.toFixed(3)} ${recall.toFixed(3)}  ${found}/${all}  ${right}/${findings}\n`,
    );
  }
}

void main();
