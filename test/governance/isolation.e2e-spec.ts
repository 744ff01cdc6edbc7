import { isFull } from '../support/tier.cjs';
import { runIsolation } from '../../bench/isolation/isolation.scenario.js';

(isFull ? describe : describe.skip)('tenants at the same time', () => {
  it('see exactly their own: no tool, description, schema, word, score, activation, offer, answer or count of others', async () => {
    const report = await runIsolation({ tenants: 20, operations: 1500, parallel: 12, seed: 7 });
    expect(report.leaks).toEqual([]);
    // The scenario must have exercised calls and policies.
    expect(report.calls).toBeGreaterThan(50);
    expect(report.policyChanges).toBeGreaterThan(0);
    // Tools were added and removed.
    expect(report.catalogChanges).toBeGreaterThan(1);
  });
});
