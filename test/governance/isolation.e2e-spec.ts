import { runIsolation } from '../../bench/isolation/isolation.scenario.js';

describe('tenants at the same time', () => {
  it('see exactly their own: no tool, description, schema, word, score, activation, offer, answer or count of others', async () => {
    const report = await runIsolation({ tenants: 20, operations: 1500, parallel: 12, seed: 7 });
    expect(report.leaks).toEqual([]);
    // The run must have met what it is about.
    expect(report.calls).toBeGreaterThan(50);
    expect(report.policyChanges).toBeGreaterThan(0);
    // Tools came, and went again.
    expect(report.catalogChanges).toBeGreaterThan(1);
  });
});
