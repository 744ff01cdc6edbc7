import { parseArgs } from 'node:util';
import { runTenants } from './scenarios/tenants.scenario.js';

/** `npm run bench:tenants -- [--tenants 5000] [--json]` */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { tenants: { type: 'string', default: '5000' }, json: { type: 'boolean', default: false } },
  });
  const tenants = Number(values.tenants);
  if (!Number.isInteger(tenants) || tenants < 1 || tenants > 100_000)
    throw new Error('--tenants takes a number from 1 to 100000');
  const report = await runTenants(tenants);
  if (values.json) return void process.stdout.write(`${JSON.stringify(report)}\n`);
  const { ownMs, sharedMs, ratio, cpuRatio, maxBlockMs, p50Ms, p99Ms, inProcess } = report;
  console.log(
    `${tenants} tenants over HTTP, a fifth of them at a time: ${ownMs} ms with five tools of their own each,`,
  );
  console.log(`${sharedMs} ms with shared tools alone (${ratio} times as long, ${cpuRatio} times in processor time)`);
  console.log(`  own sources: longest block ${maxBlockMs} ms, p50 ${p50Ms} ms, p99 ${p99Ms} ms`);
  console.log(`  without HTTP ${inProcess.ratio} times as long, ${inProcess.cpuRatio} times in processor time`);
}

main().catch((error: unknown) => {
  console.error((error instanceof Error ? error.message : String(error)).replaceAll('\n', ' '));
  process.exitCode = 1;
});
