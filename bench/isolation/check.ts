import 'reflect-metadata';
import { runIsolation } from './isolation.scenario.js';
import { main } from '../command/command.js';
import { count } from '../command/options.js';

main({
  purpose: 'Whether tenants see each other, over HTTP, while catalog and policies change.',
  options: {
    tenants: count(50, 1000),
    operations: count(20_000, 10_000_000),
    parallel: count(32, 1000),
    seed: count(1, 2 ** 32 - 1),
  },
  run: async (asked) => ({ ...(await runIsolation(asked)), asked }),
  text: ({ leaks, catalogChanges, policyChanges, calls, asked: { operations, tenants, parallel } }) =>
    [
      `${operations} operations of ${tenants} tenants over HTTP, ${parallel} at once (${calls} calls):`,
      `${catalogChanges} changes of the catalog and ${policyChanges} of policies on the way, ${leaks.length} leaks`,
      ...leaks.slice(0, 20).map((leak) => `  ${leak}`),
    ].join('\n'),
  fault: ({ leaks }) => (leaks.length > 0 ? `${leaks.length} leaks` : undefined),
});
