import fc from 'fast-check';
import { TenantShares } from './tenant-shares.js';

describe('TenantShares', () => {
  /** Takes places while there is room. Returns their number. */
  const taken = (shares: TenantShares, tenant: string, wanted = 1000) => {
    let count = 0;
    while (count < wanted && shares.hasRoom(tenant)) {
      shares.take(tenant);
      count += 1;
    }
    return count;
  };

  it('gives one tenant half of the room, and each later one half of the rest', () => {
    const shares = new TenantShares(64);
    expect(['a', 'b', 'c'].map((tenant) => taken(shares, tenant))).toEqual([32, 16, 8]);
    expect([shares.hasRoom('a'), shares.heldBy('a')]).toEqual([false, 32]);
  });

  it('says of several places what it says of one after the other', () => {
    for (let places = 1; places <= 12; places += 1) {
      const shares = new TenantShares(20);
      shares.take('a');
      const isWhole = shares.hasRoom('a', places);
      expect(taken(shares, 'a', places) === places).toBe(isWhole);
    }
  });

  it('counts no place that was not taken', () => {
    const shares = new TenantShares(2);
    shares.giveBack('a');
    expect([taken(shares, 'a'), taken(shares, 'b')]).toEqual([1, 1]);
    expect(shares.hasRoom('c')).toBe(false);
    shares.giveBack('a');
    expect(shares.hasRoom('c')).toBe(true);
  });

  it('never refuses a tenant within its share and never exceeds the total, for any sequence of two others', () => {
    const [modest, ...others] = ['modest', 'one', 'two'];
    const step = fc.record({ tenant: fc.constantFrom(modest, ...others), isGivenBack: fc.boolean(), count: fc.nat(9) });
    const check = (max: number, steps: readonly { tenant: string; isGivenBack: boolean; count: number }[]) => {
      const shares = new TenantShares(max);
      const part = Math.floor(max / 2 ** 3);
      for (const { tenant, isGivenBack, count } of steps) {
        const wanted = tenant === modest ? Math.min(count, part - shares.heldBy(modest)) : count;
        if (isGivenBack) for (let n = 0; n < count; n += 1) shares.giveBack(tenant);
        else if (tenant === modest) expect(taken(shares, tenant, wanted)).toBe(wanted);
        else taken(shares, tenant, wanted);
        const held = [modest, ...others].reduce((sum, each) => sum + shares.heldBy(each), 0);
        expect(held).toBeLessThanOrEqual(max);
      }
    };
    fc.assert(fc.property(fc.integer({ min: 8, max: 64 }), fc.array(step, { maxLength: 60 }), check));
  });
});
