import { runIsolation } from '../bench/isolation.scenario.js';

describe('tenants at the same time', () => {
  it('never see a tool, schema, activation, answer or count of another one', async () => {
    const report = await runIsolation({ tenants: 20, operations: 1500, parallel: 12, seed: 7 });
    expect(report.leaks).toEqual([]);
    // The run must have met what it is about.
    expect(report.calls).toBeGreaterThan(50);
    expect(report.policyChanges).toBeGreaterThan(0);
    expect(report.catalogChanges).toBeGreaterThan(0);
  }, 120_000);
});
