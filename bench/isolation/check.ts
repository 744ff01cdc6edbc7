import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { runIsolation } from './isolation.scenario.js';

function countOf(option: string, text: string, max: number): number {
  const count = Number(text);
  // A run without requests would find no leak.
  if (!Number.isInteger(count) || count < 1 || count > max)
    throw new Error(`--${option} takes a number from 1 to ${max}`);
  return count;
}

/**
 * `npm run check:isolation -- [--tenants 50] [--operations 20000] [--parallel 32] [--seed 1] [--json]`; exits with 1 if
 * there is a leak.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      tenants: { type: 'string', default: '50' },
      operations: { type: 'string', default: '20000' },
      parallel: { type: 'string', default: '32' },
      seed: { type: 'string', default: '1' },
      json: { type: 'boolean', default: false },
    },
  });
  const { tenants, operations, parallel, seed } = values;
  const report = await runIsolation({
    tenants: countOf('tenants', tenants, 1000),
    operations: countOf('operations', operations, 10_000_000),
    parallel: countOf('parallel', parallel, 1000),
    seed: countOf('seed', seed, 2 ** 32 - 1),
  });
  const { leaks, catalogChanges, policyChanges, calls } = report;
  if (values.json) console.log(JSON.stringify(report));
  else {
    console.log(`${operations} operations of ${tenants} tenants over HTTP, ${parallel} at once (${calls} calls):`);
    console.log(
      `${catalogChanges} changes of the catalog and ${policyChanges} of policies on the way, ${leaks.length} leaks`,
    );
    for (const leak of leaks.slice(0, 20)) console.log(`  ${leak}`);
  }
  if (leaks.length > 0) process.exitCode = 1;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
