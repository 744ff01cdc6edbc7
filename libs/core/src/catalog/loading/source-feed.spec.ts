import { FakeSource } from '../../testing/fakes/fake-source.js';
import type { SourceTuning } from '../../tool/source/source-options.js';
import { type ToolEvent, ToolEvents } from '../../tool/tool-event.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import { type FeedTiming, SourceFeed } from './source-feed.js';
import { SourceLoader } from './source-loader.js';

const TIMING: FeedTiming = { retryMinMs: 1000, retryMaxMs: 60_000, refreshEveryMs: 5000 };

/** A feed on fake time, with all its events. */
function feedOf(source: FakeSource, changed: () => Promise<void> = async () => undefined, sources: SourceTuning = {}) {
  const happened: ToolEvent[] = [];
  const events = new ToolEvents(() => 0);
  events.on('*', (event) => void happened.push(event));
  const feed = new SourceFeed(
    new SourceLoader(source, { loadingOf: () => 'always', sources }),
    events,
    TIMING,
    changed,
  );
  return { feed, happened, types: () => happened.map(({ type }) => type) };
}

describe('SourceFeed', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('says of a tool that is refused that it is, once, and again when the reason is another', async () => {
    const source = new FakeSource('crm', ['a', { name: 'no good' }]);
    const { feed, types } = feedOf(source);
    const refusals = () => types().filter((type) => type === 'tool.refused').length;
    await feed.load();
    await feed.load();
    expect([refusals(), feed.status.refused.length]).toEqual([1, 1]);
    source.setTools(['a', { name: 'no good' }, { name: 'nor this' }]);
    await feed.load();
    expect(refusals()).toBe(2);
  });

  it('reports to operators what to do about a source that is down, and which load was too slow', async () => {
    const source = new FakeSource('crm', ['a']);
    const { feed, happened } = feedOf(source);
    source.failWith(new ToolSearchError('SOURCE_UNAVAILABLE', 'It is not allowed.', { hint: 'Allow it.' }));
    await feed.load();
    expect(happened.at(-1)).toMatchObject({ type: 'source.degraded', reason: 'It is not allowed. Allow it.' });
    const hanging = new FakeSource('slow', ['a'], { loadTimeoutMs: 700 });
    hanging.load = () => new Promise(() => undefined);
    const slow = feedOf(hanging);
    const loading = slow.feed.load();
    await jest.advanceTimersByTimeAsync(700);
    await loading;
    expect(slow.feed.status.reason).toBe('loading took longer than 700 ms (loadTimeoutMs)');
  });

  it('starts without tools and reports what a load brought', async () => {
    const { feed, happened } = feedOf(new FakeSource('crm', ['a', 'b', { name: 'no good' }]));
    expect(feed.status).toEqual({
      source: 'crm',
      owner: '',
      state: 'loading',
      tools: 0,
      refused: [],
      amended: [],
      exposes: [],
      held: 0,
      reported: [],
    });
    await feed.load();
    expect(feed.status).toMatchObject({
      state: 'ready',
      tools: 2,
      refused: [{ name: 'no good' }],
      loadedAt: Date.now(),
    });
    expect(happened).toMatchObject([
      { type: 'source.loaded', source: 'crm', tools: 2, refused: 1 },
      { type: 'tool.refused', source: 'crm', tool: 'no good', code: 'INVALID_TOOL' },
    ]);
  });

  it('keeps its last good tools while the source is down, and tries again until it is back', async () => {
    const source = new FakeSource('crm', ['a']);
    const { feed, happened } = feedOf(source);
    await feed.load();
    source.failWith(new Error('password=hunter2'));
    source.setTools(['a', 'b']);
    await jest.advanceTimersByTimeAsync(5000);
    expect(feed.status).toMatchObject({
      state: 'degraded',
      code: 'SOURCE_UNAVAILABLE',
      tools: 1,
      loadedAt: expect.any(Number),
    });
    expect(JSON.stringify(happened)).not.toContain('hunter2');

    source.failWith(undefined);
    await jest.advanceTimersByTimeAsync(1250);
    expect(feed.status).toMatchObject({ state: 'ready', tools: 2 });
    expect(feed.status).not.toHaveProperty('code');
  });

  it('waits longer after each failure, up to a maximum, never all at one moment', async () => {
    const source = new FakeSource('crm');
    source.failWith(new Error('down'));
    const { feed, happened } = feedOf(source);
    await feed.load();
    for (let failure = 0; failure < 9; failure++) await jest.advanceTimersByTimeAsync(75_000);
    const waits = happened.map((event) => (event.type === 'source.degraded' ? event.retryInMs : 0));
    for (const [failure, wait] of waits.entries()) {
      const middle = Math.min(60_000, 1000 * 2 ** failure);
      expect(wait).toBeGreaterThanOrEqual(0.75 * middle);
      expect(wait).toBeLessThanOrEqual(1.25 * middle);
    }
    expect(waits.length).toBeGreaterThanOrEqual(9);
    expect(new Set(waits.slice(7)).size).toBeGreaterThan(1);
  });

  it('starts over with short waits once the source has been back', async () => {
    const source = new FakeSource('crm', ['a']);
    const { feed, happened } = feedOf(source);
    source.failWith(new Error('down'));
    await feed.load();
    await jest.advanceTimersByTimeAsync(20_000);
    source.failWith(undefined);
    await jest.advanceTimersByTimeAsync(60_000);
    source.failWith(new Error('down'));
    await feed.load();
    const last = happened.findLast((event) => event.type === 'source.degraded');
    expect(last).toMatchObject({ retryInMs: expect.any(Number) });
    expect(last!.type === 'source.degraded' && last!.retryInMs).toBeLessThanOrEqual(1250);
  });

  it('names the code of our own errors', async () => {
    const source = new FakeSource('crm', ['a', 'b'], { limits: { tools: 1 } });
    const { feed } = feedOf(source);
    await feed.load();
    expect(feed.status).toMatchObject({ state: 'degraded', code: 'SOURCE_LIMIT', tools: 0 });
  });

  it('aborts a load that takes too long, and ignores its late result', async () => {
    let given: AbortSignal | undefined;
    let bring: (tools: { name: string; description: string }[]) => void = () => undefined;
    class SlowSource extends FakeSource {
      override load(signal: AbortSignal) {
        given = signal;
        return new Promise<{ name: string; description: string }[]>((resolve) => (bring = resolve));
      }
    }
    const { feed } = feedOf(new SlowSource('crm', [], { loadTimeoutMs: 2000 }));
    const loading = feed.load();
    await jest.advanceTimersByTimeAsync(2000);
    await loading;
    expect([given?.aborted, feed.status.state]).toEqual([true, 'degraded']);
    bring([{ name: 'late', description: 'Too late.' }]);
    await jest.advanceTimersByTimeAsync(0);
    expect(feed.status.tools).toBe(0);
  });

  it('stays up when the source throws at once, answers nonsense or cannot be watched', async () => {
    class Careless extends FakeSource {
      override load(): never {
        throw new Error('at once');
      }
    }
    class Silent extends FakeSource {
      override load() {
        return undefined as never;
      }
    }
    class Unwatchable extends FakeSource {
      override watch(): never {
        throw new Error('no');
      }
    }
    for (const source of [new Careless('a'), new Silent('b'), new Unwatchable('c')]) {
      const { feed } = feedOf(source);
      await feed.load();
      expect(feed.status.state).toBe('degraded');
      await feed.close();
    }
  });

  it('gathers a storm of changes into one load per interval', async () => {
    const source = new FakeSource('crm', ['a']);
    const { feed } = feedOf(source);
    await feed.load();
    for (let second = 0; second < 20; second++) {
      for (let change = 0; change < 100; change++) source.reportChange();
      await jest.advanceTimersByTimeAsync(1000);
    }
    expect(source.loads).toBe(5);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(source.loads).toBe(5);
  });

  it('loads a source less often that brings more within a minute than its budget, and says so once for each wait', async () => {
    const source = new FakeSource('crm', ['a']);
    const { feed, happened } = feedOf(source, undefined, { changedCharsPerMinute: 100 });
    await feed.load();
    const throttled = () => happened.filter(({ type }) => type === 'source.throttled');
    let loads = 0;
    for (let second = 0; second < 180; second++) {
      source.setTools([`tool_${second}`]);
      await jest.advanceTimersByTimeAsync(1000);
      if (second === 6) loads = source.loads;
    }
    // Instead of 37 loads in three minutes, about two per minute remain; the last change is not lost.
    expect(loads).toBe(2);
    expect(source.loads).toBeLessThanOrEqual(1 + 3 * 3);
    expect(throttled().length).toBeGreaterThanOrEqual(2);
    expect(throttled().length).toBeLessThan(source.loads);
    expect(throttled()[0]).toMatchObject({ source: 'crm', chars: expect.any(Number), waitMs: expect.any(Number) });
    expect(feed.status.throttledUntil).toBeGreaterThan(Date.now());
    await jest.advanceTimersByTimeAsync(60_000);
    expect(feed.ingested.tools.map(({ definition }) => definition.name)).toEqual(['crm.tool_179']);
    expect(feed.status.throttledUntil).toBeUndefined();
  });

  it('loads at once on a change after a quiet time', async () => {
    const source = new FakeSource('crm', ['a']);
    const { feed } = feedOf(source);
    await feed.load();
    await jest.advanceTimersByTimeAsync(60_000);
    source.setTools(['a', 'b']);
    await jest.advanceTimersByTimeAsync(0);
    expect(feed.status.tools).toBe(2);
  });

  it('does not wait for a late retry when the source reports that it is back', async () => {
    const source = new FakeSource('crm', ['a']);
    const { feed } = feedOf(source);
    await feed.load();
    source.failWith(new Error('down'));
    for (let failure = 0; failure < 8; failure++) await feed.load();
    source.failWith(undefined);
    source.reportChange();
    await jest.advanceTimersByTimeAsync(5000);
    expect(feed.status.state).toBe('ready');
  });

  it('follows a running load by one more, however often it is asked meanwhile', async () => {
    const source = new FakeSource('crm', ['a']);
    const { feed } = feedOf(source);
    await Promise.all([feed.load(), feed.load(), feed.load(), feed.load()]);
    expect(source.loads).toBe(2);
  });

  it('is ready only when its tools have been published; a publication that fails is tried again', async () => {
    let fails = true;
    const { feed } = feedOf(new FakeSource('crm', ['a']), async () => {
      if (fails) throw new ToolSearchError('INTERNAL', 'no index');
    });
    await feed.load();
    expect(feed.status).toMatchObject({ state: 'degraded', code: 'INTERNAL' });
    fails = false;
    await jest.advanceTimersByTimeAsync(1250);
    expect(feed.status.state).toBe('ready');
  });

  it('ends everything when it is closed: the running load, the watch, the next retry', async () => {
    let aborted = false;
    class Hanging extends FakeSource {
      override load(signal: AbortSignal): Promise<never> {
        signal.addEventListener('abort', () => (aborted = true));
        return new Promise(() => undefined);
      }
    }
    const { feed, types } = feedOf(new Hanging('crm'));
    const loading = feed.load();
    await jest.advanceTimersByTimeAsync(0);
    await feed.close();
    await loading;
    expect([aborted, types(), jest.getTimerCount()]).toEqual([true, [], 0]);

    const source = new FakeSource('crm', ['a']);
    const { feed: other } = feedOf(source);
    await other.load();
    await other.close();
    source.reportChange();
    await jest.advanceTimersByTimeAsync(60_000);
    expect([source.loads, source.closed]).toEqual([1, true]);
  });

  it('has no listener and reports nothing after it was closed, at any moment of a load', async () => {
    for (let moment = 0; moment < 15; moment++) {
      let watching = 0;
      class Watched extends FakeSource {
        override watch() {
          watching += 1;
          return () => void (watching -= 1);
        }
      }
      const { feed, types } = feedOf(new Watched('crm', ['a']));
      const loading = feed.load();
      for (let tick = 0; tick < moment; tick++) await Promise.resolve();
      const before = types().length;
      await Promise.all([feed.close(), loading]);
      expect([watching, types().length, jest.getTimerCount()]).toEqual([0, before, 0]);
    }
  });

  it('does not hang on a source that cannot be closed', async () => {
    class Clinging extends FakeSource {
      override close(): Promise<never> {
        return new Promise(() => undefined);
      }
    }
    class Failing extends FakeSource {
      override close(): never {
        throw new Error('no');
      }
    }
    await feedOf(new Failing('b')).feed.close();
    const closing = feedOf(new Clinging('a')).feed.close();
    await jest.advanceTimersByTimeAsync(5000);
    await closing;
    expect(jest.getTimerCount()).toBe(0);
  });

  describe('that somebody asks to load again', () => {
    it('shares the load that is running', async () => {
      const source = new FakeSource('crm', ['a']);
      const { feed } = feedOf(source);
      const first = feed.load();
      expect(feed.reloadWaitMs).toBe(0);
      await Promise.all([first, feed.reload(), feed.reload()]);
      expect(source.loads).toBe(1);
    });

    it('loads nothing soon after the last load', async () => {
      const source = new FakeSource('crm', ['a']);
      const { feed } = feedOf(source);
      await feed.load();
      expect(feed.reloadWaitMs).toBe(TIMING.refreshEveryMs);
      await feed.reload();
      expect(source.loads).toBe(1);
      await jest.advanceTimersByTimeAsync(TIMING.refreshEveryMs);
      expect(feed.reloadWaitMs).toBe(0);
      await feed.reload();
      expect(source.loads).toBe(2);
    });

    it('loads nothing while it changes more than its budget allows', async () => {
      const source = new FakeSource('crm', ['a']);
      const { feed } = feedOf(source, undefined, { changedCharsPerMinute: 1000 });
      await feed.load();
      source.setTools(Array.from({ length: 100 }, (_, index) => `a_rather_long_name_${index}`));
      await jest.advanceTimersByTimeAsync(TIMING.refreshEveryMs);
      await feed.reload();
      await jest.advanceTimersByTimeAsync(TIMING.refreshEveryMs);
      expect(feed.reloadWaitMs).toBeGreaterThan(TIMING.refreshEveryMs);
    });

    it('does not delay the next attempt by failing', async () => {
      const source = new FakeSource('crm', ['a']);
      const { feed, happened } = feedOf(source);
      source.failWith(new Error('down'));
      await feed.load();
      const retries = () => happened.flatMap((event) => (event.type === 'source.degraded' ? [event.retryInMs] : []));
      while ((retries().at(-1) ?? 0) < 20_000) await jest.advanceTimersByTimeAsync(retries().at(-1) ?? 0);
      const [due = 0, loads] = [retries().at(-1), source.loads];
      await jest.advanceTimersByTimeAsync(TIMING.refreshEveryMs);
      await feed.reload();
      expect(source.loads).toBe(loads + 1);
      expect(Math.abs((retries().at(-1) ?? 0) - (due - TIMING.refreshEveryMs))).toBeLessThanOrEqual(1);
      await jest.advanceTimersByTimeAsync(due - TIMING.refreshEveryMs);
      expect(source.loads).toBe(loads + 2);
    });
  });
});
