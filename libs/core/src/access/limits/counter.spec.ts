import fc from 'fast-check';
import { periodOf } from './calendar.js';
import { type CounterRule, type CounterState, retryAfterMs, settled, taken, usedOf } from './counter.js';

const T0 = Date.UTC(2026, 0, 1);

/** One counter with its own clock: takes and remembers. */
class Counter {
  state: CounterState | undefined;
  now = T0;
  #lease = 0;

  constructor(readonly rule: CounterRule) {}

  take(amount = 1, leaseMs = 1000) {
    const next = taken(this.rule, this.state, this.now, { amount, leaseId: `l${this.#lease++}`, leaseMs });
    if (next) {
      expect(next.expiresAt).toBeGreaterThan(this.now);
      this.state = next.state;
    }
    return next;
  }

  settle(given: { place: string | number }, amount: number, used: number) {
    const next = settled(this.rule, this.state, this.now, { place: given.place, amount }, used);
    if (next) this.state = next.state;
    return next;
  }

  get used() {
    return usedOf(this.rule, this.state, this.now);
  }

  get retryAfter() {
    return retryAfterMs(this.rule, this.state, this.now, 1);
  }
}

const steps = (maxMs: number) => fc.array(fc.integer({ min: 0, max: maxMs }), { minLength: 1, maxLength: 120 });

describe('a sliding window', () => {
  it('never exceeds its maximum at any start, and admits what a longer window would admit', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1000, max: 5000 }),
        steps(900),
        (max, windowMs, waits) => {
          const counter = new Counter({ kind: 'sliding', max, windowMs });
          const passed: number[] = [];
          const within = (ms: number) => passed.filter((at) => counter.now - at < ms).length;
          for (const wait of waits) {
            counter.now += wait;
            const before = within(windowMs + Math.ceil(windowMs / 20));
            if (counter.take()) passed.push(counter.now);
            else expect(before).toBeGreaterThanOrEqual(max);
            expect(within(windowMs)).toBeLessThanOrEqual(max);
            expect(counter.used).toBeGreaterThanOrEqual(within(windowMs));
          }
        },
      ),
    );
  });

  it('says exactly when one more fits', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), steps(300), (max, waits) => {
        const counter = new Counter({ kind: 'sliding', max, windowMs: 1000 });
        for (const wait of waits) {
          counter.now += wait;
          const retry = counter.retryAfter ?? NaN;
          if (counter.take()) {
            expect(retry).toBe(0);
            continue;
          }
          const now = counter.now;
          const state = counter.state;
          counter.now = now + retry - 1;
          expect(counter.take()).toBeUndefined();
          counter.now = now + retry;
          expect(counter.take()).toBeDefined();
          Object.assign(counter, { now, state });
        }
      }),
    );
  });

  it('keeps its counts when the clock is set back, and does not wait for a clock that was ahead', () => {
    const counter = new Counter({ kind: 'sliding', max: 2, windowMs: 1000 });
    counter.take();
    counter.now -= 400;
    counter.take();
    expect(counter.take()).toBeUndefined();
    expect(counter.state).toHaveLength(2);
    counter.now -= 86_400_000;
    expect(counter.take()).toBeDefined();
  });

  it('keeps a bounded state', () => {
    const counter = new Counter({ kind: 'sliding', max: 1_000_000, windowMs: 1000 });
    for (let i = 0; i < 5000; i++) {
      counter.now += 7;
      counter.take();
    }
    expect(counter.state!.length).toBeLessThanOrEqual(2 * 22);
  });
});

describe('a fixed window', () => {
  it('holds what a count of its calls holds', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), steps(700), (max, waits) => {
        const counter = new Counter({ kind: 'fixed', max, windowMs: 1000 });
        const passed = new Map<number, number>();
        for (const wait of waits) {
          counter.now += wait;
          const window = Math.floor(counter.now / 1000);
          const known = passed.get(window) ?? 0;
          expect(counter.used).toBe(known);
          expect(counter.retryAfter).toBe(known < max ? 0 : (window + 1) * 1000 - counter.now);
          expect(counter.take() !== undefined).toBe(known < max);
          passed.set(window, Math.min(max, known + 1));
        }
      }),
    );
  });

  it('lets twice its maximum pass around an edge, and no more', () => {
    const counter = new Counter({ kind: 'fixed', max: 3, windowMs: 1000 });
    counter.now = T0 + 999;
    const before = [1, 2, 3, 4].map(() => counter.take() !== undefined);
    counter.now = T0 + 1000;
    const after = [1, 2, 3, 4].map(() => counter.take() !== undefined);
    expect([before, after]).toEqual([
      [true, true, true, false],
      [true, true, true, false],
    ]);
  });

  it('goes on with its window when the clock is set back over the edge', () => {
    const counter = new Counter({ kind: 'fixed', max: 2, windowMs: 1000 });
    counter.take();
    counter.now -= 1;
    counter.take();
    expect([counter.take(), counter.used]).toEqual([undefined, 2]);
    counter.now -= 86_400_000;
    expect(counter.take()).toBeDefined();
  });
});

describe('what was reserved', () => {
  it.each<CounterRule>([
    { kind: 'fixed', max: 100, windowMs: 1000 },
    { kind: 'sliding', max: 100, windowMs: 1000 },
    { kind: 'calendar', max: 100, every: 'day', timeZone: 'UTC' },
  ])('is replaced by what was used: %j', (rule) => {
    const counter = new Counter(rule);
    const [first, second] = [counter.take(40)!, counter.take(40)!];
    expect([counter.take(40), counter.used]).toEqual([undefined, 80]);
    counter.settle(first, 40, 5);
    expect(counter.used).toBe(45);
    counter.settle(second, 40, 70);
    expect(counter.used).toBe(75);
    const third = counter.take(20)!;
    counter.settle(third, 20, 60);
    expect(counter.used).toBe(135);
    expect(counter.take(1)).toBeUndefined();
  });

  it('never falls below zero, and is forgotten with its window', () => {
    const counter = new Counter({ kind: 'fixed', max: 10, windowMs: 1000 });
    const one = counter.take(4)!;
    counter.settle(one, 4, 0);
    counter.settle(one, 4, 0);
    expect(counter.used).toBe(0);
    counter.now += 1000;
    counter.take(3);
    expect([counter.settle(one, 4, 9), counter.used]).toEqual([undefined, 3]);
  });

  it('that exceeds the maximum by itself never fits', () => {
    for (const kind of ['fixed', 'sliding'] as const) {
      expect(retryAfterMs({ kind, max: 3, windowMs: 1000 }, undefined, T0, 4)).toBeUndefined();
    }
  });
});

describe('leases', () => {
  it('hold as many as were neither given back nor expired', () => {
    const step = fc.record({
      wait: fc.integer({ min: 0, max: 400 }),
      back: fc.nat(200),
      leaseMs: fc.integer({ min: 1, max: 1500 }),
    });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.array(step, { maxLength: 100 }), (max, moves) => {
        const counter = new Counter({ kind: 'leases', max });
        const held: { place: string | number; until: number }[] = [];
        for (const { wait, back, leaseMs } of moves) {
          counter.now += wait;
          const live = () => held.filter(({ until }) => until > counter.now);
          expect(counter.used).toBe(live().length);
          const free = live().length < max;
          const one = counter.take(1, leaseMs);
          expect(one !== undefined).toBe(free);
          if (one) held.push({ place: one.place, until: counter.now + leaseMs });
          const [gone] = held.splice(back, 1);
          if (gone) counter.settle(gone, 1, 0);
          expect(counter.used).toBe(live().length);
          if (live().length === max) expect(counter.retryAfter).toBeLessThanOrEqual(1000);
        }
      }),
    );
  });
});

describe('a calendar period', () => {
  const label = (at: number, timeZone: string, every: 'day' | 'month') =>
    new Intl.DateTimeFormat('sv-SE', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      ...(every === 'day' && { day: '2-digit' }),
    }).format(at);

  it('is the time with the same local date, in every zone', () => {
    const zones = fc.constantFrom(
      'UTC',
      'Europe/Berlin',
      'America/New_York',
      'America/St_Johns',
      'Africa/Cairo',
      'Asia/Kathmandu',
      'Pacific/Auckland',
      'Pacific/Kiritimati',
      'Pacific/Niue',
      'Australia/Lord_Howe',
      'Atlantic/Azores',
    );
    const times = fc.integer({ min: Date.UTC(2015, 0, 1), max: Date.UTC(2035, 0, 1) });
    fc.assert(
      fc.property(times, zones, fc.constantFrom('day' as const, 'month' as const), (at, zone, every) => {
        const { start, end } = periodOf(at, every, zone);
        expect(start).toBeLessThanOrEqual(at);
        expect(end).toBeGreaterThan(at);
        expect([label(start, zone, every), label(end - 1, zone, every)]).toEqual(Array(2).fill(label(at, zone, every)));
        expect(label(start - 1, zone, every)).not.toBe(label(at, zone, every));
        expect(label(end, zone, every)).not.toBe(label(at, zone, every));
      }),
    );
  });

  it.each([
    ['Europe/Berlin', '2026-03-29T12:00:00Z', 23],
    ['Europe/Berlin', '2026-10-25T12:00:00Z', 25],
    ['Australia/Lord_Howe', '2026-04-04T18:00:00Z', 24.5],
    ['Africa/Cairo', '2026-04-24T12:00:00Z', 23],
  ])('has the hours of a day on which clocks change: %s, %s', (zone, at, hours) => {
    const { start, end } = periodOf(Date.parse(at), 'day', zone);
    expect((end - start) / 3_600_000).toBe(hours);
  });

  it('holds its budget until it ends', () => {
    const counter = new Counter({ kind: 'calendar', max: 5, every: 'month', timeZone: 'Europe/Berlin' });
    counter.now = Date.parse('2026-02-28T22:59:59.999Z');
    counter.take(5);
    expect([counter.take(1), counter.retryAfter]).toEqual([undefined, 1]);
    counter.now += 1;
    expect(counter.take(5)).toBeDefined();
  });
});
