import { runTenants } from './scenarios/tenants.scenario.js';
import { main } from './command/command.js';
import { count } from './command/options.js';

main({
  purpose: 'What tools of its own cost the requests of a tenant, over HTTP.',
  options: { tenants: count(5000, 100_000) },
  run: ({ tenants }) => runTenants(tenants),
  text: ({ tenants, ownMs, sharedMs, ratio, cpuRatio, maxBlockMs, p50Ms, p99Ms, inProcess }) =>
    [
      `${tenants} tenants over HTTP, a fifth of them at a time: ${ownMs} ms with five tools of their own each,`,
      `${sharedMs} ms with shared tools alone (${ratio} times as long, ${cpuRatio} times in processor time)`,
      `  own sources: longest block ${maxBlockMs} ms, p50 ${p50Ms} ms, p99 ${p99Ms} ms`,
      `  without HTTP ${inProcess.ratio} times as long, ${inProcess.cpuRatio} times in processor time`,
    ].join('\n'),
});
