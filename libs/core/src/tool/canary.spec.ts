import { canaryPosition } from './canary.js';

const TENANTS = Array.from({ length: 10_000 }, (_, index) => `tenant-${index}`);
const chosen = (tool: string, sharePct: number) => TENANTS.filter((tenant) => canaryPosition(tool, tenant) < sharePct);

describe('canaryPosition', () => {
  it('is a fixed function of tool and tenant', () => {
    // Written out: an instance of another version, or another run, must place a tenant in the same way.
    expect(canaryPosition('billing.refund', 'acme')).toBeCloseTo(85.733_830_777_854_08, 10);
    expect(canaryPosition('billing.refund', 'globex')).toBeCloseTo(96.108_078_155_979_37, 10);
    expect(canaryPosition('ä.b', 'tenant "x"')).toBe(canaryPosition('ä.b', 'tenant "x"'));
  });

  it('puts 10 % ± 1 of 10,000 made-up tenants into a share of 10 %', () => {
    for (const tool of ['billing.refund', 'crm.close_deal', 'github.create_issue']) {
      expect(chosen(tool, 10).length).toBeGreaterThanOrEqual(900);
      expect(chosen(tool, 10).length).toBeLessThanOrEqual(1100);
    }
  });

  it('spreads tenants evenly over all shares, also those with names of one pattern', () => {
    const tenths = Array.from({ length: 10 }, () => 0);
    for (const tenant of TENANTS) tenths[Math.floor(canaryPosition('billing.refund', tenant) / 10)]! += 1;
    for (const count of tenths) expect(Math.abs(count - 1000)).toBeLessThan(120);
  });

  it('keeps the tenants of a share that grows, from nobody to everybody', () => {
    let before: readonly string[] = [];
    for (const share of [0, 0.5, 1, 10, 25, 50, 99.9, 100]) {
      const now = new Set(chosen('billing.refund', share));
      expect(before.filter((tenant) => !now.has(tenant))).toEqual([]);
      before = [...now];
    }
    expect(chosen('billing.refund', 0)).toEqual([]);
    expect(before).toHaveLength(TENANTS.length);
  });

  it('chooses other tenants for another tool, so that not the same ones try everything', () => {
    const one = new Set(chosen('billing.refund', 10));
    const both = chosen('crm.close_deal', 10).filter((tenant) => one.has(tenant));
    expect(both.length).toBeGreaterThan(50);
    expect(both.length).toBeLessThan(150);
  });
});
