import { setTimeout } from 'node:timers/promises';
import type { CallGroup } from '../call-groups.js';
import type { CallFilter } from '../call-record.js';
import { CallOverview } from './call-overview.js';
import { MAX_GROUPS } from '../tool-call-store.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = 500_000 * HOUR;
const OK = { layer: 'approval', decision: 'allow', outcome: 'ok', tenantId: 'acme', prefix: 'crm', speed: 2 } as const;
const REFUSED = { layer: 'policy', decision: 'deny', outcome: 'TOOL_NOT_AVAILABLE' } as const;

/** An overview of these groups, and which periods were read. */
function overviewOf(
  groups: readonly CallGroup[],
  { now = () => NOW, withinMs = 60_000, may = Promise.resolve() as Promise<unknown> } = {},
) {
  const asked: CallFilter[] = [];
  const read = async (filter: CallFilter, spanMs: number) => {
    asked.push(filter);
    await may;
    const { since = 0, until = Infinity, tenantId } = filter;
    return groups
      .filter(({ from }) => from >= since && from < until)
      .filter((group) => tenantId === undefined || group.tenantId === tenantId)
      .map((group) => ({ ...group, from: group.from - (group.from % spanMs) }));
  };
  return { overview: new CallOverview(read, now, withinMs), asked };
}

/** How many hours were read, those that were read twice counted twice. */
function hoursRead(asked: readonly CallFilter[]): number {
  return asked.reduce((sum, { since = 0, until = 0 }) => sum + (until - since) / HOUR, 0);
}

const DAY = { since: NOW - 24 * HOUR, until: NOW };

describe('the overview of calls', () => {
  it('adds up what ran, was refused and failed, by time, layer, part of the catalog and tenant', async () => {
    const { overview } = overviewOf([
      { ...OK, from: NOW - 2 * HOUR, calls: 90 },
      { ...OK, from: NOW - 2 * HOUR, speed: 8, calls: 10 },
      { ...OK, from: NOW - HOUR, outcome: 'TOOL_FAILED', tenantId: 'globex', prefix: 'billing', calls: 5 },
      { ...OK, ...REFUSED, from: NOW - HOUR, calls: 7 },
      { ...OK, from: NOW - HOUR, decision: 'approve', outcome: 'APPROVAL_PENDING', calls: 3 },
    ]);
    const answer = await overview.of(DAY);
    expect(answer).toMatchObject({ isComplete: true, stepMs: HOUR, total: { calls: 115, refused: 10, failed: 5 } });
    expect(answer.spans.map(({ from, calls }) => [NOW - from, calls])).toEqual([
      [2 * HOUR, 100],
      [HOUR, 15],
    ]);
    expect(answer.spans[0]?.p50Ms).toBeCloseTo(2 + (3 * 50) / 90);
    expect(answer.spans[0]?.p95Ms).toBeCloseTo(200 + (300 * 5) / 10);
    expect(answer.refusals).toEqual([
      { layer: 'policy', calls: 7 },
      { layer: 'approval', calls: 3 },
    ]);
    expect(answer.prefixes).toMatchObject([
      { prefix: 'crm', calls: 110, refused: 10, failed: 0 },
      { prefix: 'billing', calls: 5, failed: 5 },
    ]);
    expect(answer.tenants).toMatchObject([
      { tenantId: 'acme', calls: 110 },
      { tenantId: 'globex', calls: 5 },
    ]);
  });

  it('says nothing about times where nothing ran', async () => {
    const { overview } = overviewOf([{ ...OK, ...REFUSED, from: NOW - HOUR, calls: 1 }]);
    expect((await overview.of(DAY)).total).toEqual({ calls: 1, refused: 1, failed: 0 });
  });

  it('counts calls slower than all bounds as slow as the last of them', async () => {
    const { overview } = overviewOf([{ ...OK, from: NOW - HOUR, speed: 15, calls: 1 }]);
    expect((await overview.of(DAY)).total).toMatchObject({ p50Ms: 60_000, p95Ms: 60_000 });
  });

  it('shows up to two hours by the minute', async () => {
    const { overview, asked } = overviewOf([{ ...OK, from: NOW - 90_000, calls: 4 }]);
    const answer = await overview.of({ since: NOW - HOUR + 1, until: NOW });
    expect(answer).toMatchObject({ stepMs: 60_000, since: NOW - HOUR, isComplete: true });
    expect(answer.spans).toMatchObject([{ from: NOW - 120_000, calls: 4 }]);
    expect(hoursRead(asked)).toBe(1);
  });

  it('shares what is read by the minute, and reads only the last minutes again', async () => {
    let now = NOW;
    const { overview, asked } = overviewOf([], { now: () => now });
    const hour = () => ({ since: now - HOUR, until: now });
    await Promise.all([overview.of(hour()), overview.of(hour())]);
    expect(hoursRead(asked)).toBe(1);
    const first = asked.length;
    now += 4000;
    await overview.of(hour());
    // The minute that has just begun.
    expect(asked.slice(first)).toEqual([{ kind: 'call', since: NOW, until: NOW + MINUTE }]);
    now += 2 * MINUTE;
    await overview.of(hour());
    expect(hoursRead(asked)).toBeLessThan(1.2);
  });

  it('does not wait for what is read by the minute either', async () => {
    const { overview } = overviewOf([], { may: new Promise(() => undefined), withinMs: 1 });
    expect(await overview.of({ since: NOW - HOUR, until: NOW })).toMatchObject({ isComplete: false, spans: [] });
  });

  it('reads an hour that is over once, by itself, and of later ones only the last minutes again', async () => {
    const start = NOW + HOUR / 2 + 1;
    let now = start;
    const { overview, asked } = overviewOf([], { now: () => now });
    const week = { since: NOW - 48 * HOUR, until: start };
    await overview.of(week);
    for (const { since = 0, until = 0 } of asked) {
      if (since < NOW) expect([since % HOUR, until - since]).toEqual([0, HOUR]);
    }
    const first = asked.length;
    now += 1000;
    await overview.of(week);
    expect(asked).toHaveLength(first);
    now += 5000;
    await overview.of(week);
    const again = asked.slice(first);
    expect(again[0]).toEqual({ kind: 'call', since: start - 1, until: start - 1 + MINUTE });
    expect(Math.min(...again.map(({ since = 0 }) => since))).toBe(start - 1 - MINUTE);
  });

  it('reads nothing of the future, and each part once however long that takes', async () => {
    let now = NOW;
    const read = jest.fn(async () => {
      now += 10_000;
      return [];
    });
    const overview = new CallOverview(read, () => now, 60_000);
    await overview.of({ since: NOW - 24 * HOUR, until: NOW + 24 * HOUR });
    const reads = read.mock.calls as unknown as readonly [CallFilter][];
    expect(Math.max(...reads.map(([{ until = 0 }]) => until))).toBe(NOW + MINUTE);
    expect(Math.min(...reads.map(([{ since = 0 }]) => since))).toBe(NOW - 24 * HOUR);
    expect(hoursRead(reads.map(([filter]) => filter))).toBeLessThan(25);
  });

  it('counts a last step that is over as a whole, and says so', async () => {
    const { overview } = overviewOf([
      { ...OK, from: NOW - 10 * HOUR, calls: 4 },
      { ...OK, from: NOW - 9 * HOUR, calls: 8 },
    ]);
    const answer = await overview.of({ since: NOW - 20 * HOUR, until: NOW - 10 * HOUR + 1 });
    expect(answer).toMatchObject({ until: NOW - 9 * HOUR, total: { calls: 4 } });
  });

  it('is not complete where a part has more groups than are read', async () => {
    const group: CallGroup = { ...OK, from: NOW - 5 * HOUR, calls: 1 };
    const full = Array.from({ length: MAX_GROUPS + 1 }, () => group);
    const read = async ({ since }: CallFilter) => (since === NOW - 5 * HOUR ? full : []);
    const overview = new CallOverview(read, () => NOW, 60_000);
    expect(await overview.of(DAY)).toMatchObject({ isComplete: false, total: { calls: MAX_GROUPS } });
    expect(await overview.of({ ...DAY, since: NOW - 4 * HOUR })).toMatchObject({ isComplete: true });
  });

  it('keeps the hours of each tenant apart', async () => {
    const groups = [
      { ...OK, from: NOW - HOUR, calls: 4 },
      { ...OK, from: NOW - HOUR, tenantId: 'globex', calls: 9 },
    ];
    const { overview } = overviewOf(groups);
    expect((await overview.of(DAY)).total.calls).toBe(13);
    expect(await overview.of({ ...DAY, tenantId: 'acme' })).toMatchObject({
      total: { calls: 4 },
      tenants: [{ tenantId: 'acme' }],
    });
  });

  it('says what it knows in time, and reads the rest in the background', async () => {
    const groups = Array.from({ length: 24 }, (_, hour) => ({ ...OK, from: NOW - (hour + 1) * HOUR, calls: 1 }));
    let release = (): void => undefined;
    const may = new Promise<void>((resolve) => (release = resolve));
    const { overview } = overviewOf(groups, { may, withinMs: 1 });
    expect(await overview.of(DAY)).toMatchObject({ isComplete: false, total: { calls: 0 }, spans: [] });
    release();
    let last = await overview.of(DAY);
    while (!last.isComplete) last = await overview.of(DAY);
    expect(last.total.calls).toBe(24);
  });

  it('keeps at most 100 tenants of an hour, those with most calls, and counts all of them', async () => {
    const groups = Array.from({ length: 150 }, (_, index) => ({
      ...OK,
      from: NOW - HOUR,
      tenantId: `tenant-${index}`,
      calls: index + 1,
    }));
    const { total, tenants } = await overviewOf(groups).overview.of(DAY);
    expect(total.calls).toBe((150 * 151) / 2);
    expect(tenants).toHaveLength(50);
    expect(tenants[0]).toMatchObject({ tenantId: 'tenant-149', calls: 150 });
  });

  it('keeps so many hours at most: those of tenants that nobody asks for any more go', async () => {
    const { overview, asked } = overviewOf([]);
    const month = { since: NOW - 30 * 24 * HOUR, until: NOW };
    const askOf = async (tenantId: string) => {
      while (!(await overview.of({ ...month, tenantId })).isComplete);
    };
    for (const tenantId of ['a', 'b', 'c']) await askOf(tenantId);
    const before = asked.length;
    await askOf('c');
    expect(asked).toHaveLength(before);
    await askOf('a');
    expect(asked.length).toBeGreaterThan(before);
  });

  it('forgets everything when records are erased', async () => {
    const { overview, asked } = overviewOf([]);
    await overview.of(DAY);
    const before = hoursRead(asked);
    overview.clear();
    await overview.of(DAY);
    expect(hoursRead(asked)).toBe(2 * before);
  });

  it('fails if the store does', async () => {
    const overview = new CallOverview(
      () => Promise.reject(new Error('gone')),
      () => NOW,
      60_000,
    );
    await expect(overview.of(DAY)).rejects.toThrow('gone');
  });

  it('fails at the next question if the store does after an answer, until it answers again', async () => {
    let isDown = true;
    const overview = new CallOverview(
      async () => {
        await setTimeout(20);
        if (isDown) throw new Error('gone');
        return [];
      },
      () => NOW,
      1,
    );
    const HOUR_BEFORE = { since: NOW - HOUR, until: NOW };
    let [answer] = await Promise.allSettled([overview.of(HOUR_BEFORE)]);
    while (answer.status === 'fulfilled') [answer] = await Promise.allSettled([overview.of(HOUR_BEFORE)]);
    // Not in turn with answers that know nothing.
    for (let index = 0; index < 3; index++) await expect(overview.of(HOUR_BEFORE)).rejects.toThrow('gone');
    isDown = false;
    while (answer.status !== 'fulfilled') [answer] = await Promise.allSettled([overview.of(HOUR_BEFORE)]);
    expect(answer.value.total.calls).toBe(0);
  });
});
