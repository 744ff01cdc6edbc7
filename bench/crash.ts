import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { runCrashes } from './scenarios/crash.scenario.js';

/**
 * `npm run check:crash -- [--rounds 200] [--json]`; exits with 1 if an acknowledged write is lost or the audit trail is
 * broken.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { rounds: { type: 'string', default: '200' }, json: { type: 'boolean', default: false } },
  });
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1 || rounds > 10_000)
    throw new Error('--rounds takes a number from 1 to 10000');
  const report = await runCrashes(rounds);
  const { acknowledged, lost, chainBroken } = report;
  if (values.json) console.log(JSON.stringify(report));
  else {
    console.log(`${rounds} processes killed while they wrote to one SQLite file, ${acknowledged} writes acknowledged:`);
    console.log(`${lost} lost, audit trail broken ${chainBroken} times`);
  }
  if (lost > 0 || chainBroken > 0) process.exitCode = 1;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
