import { OpenStreams, type OpenStream } from './open-streams.js';

const SETTINGS = { maxPerCaller: 2, max: 3, keepAliveMs: 15_000, recheckMs: 30_000, stalledMs: 10_000 };

/** One recheck, with time for the turns of the event loop that it takes. */
const RECHECK_MS = SETTINGS.recheckMs + 1000;

/** The digests where only the list of tools differs. */
const listing = (tools: string) => ({ tools, resources: '', prompts: '' });

/** A stream whose list and fate a test decides. */
class FakeStream implements OpenStream {
  list = 'same';
  notified = 0;
  ended = 0;
  isAllowed: boolean | 'unknown' = true;
  readonly digests = async () => listing(this.list);
  readonly recheck = () =>
    this.isAllowed === 'unknown'
      ? new Promise<void>(() => undefined)
      : this.isAllowed
        ? Promise.resolve()
        : Promise.reject(new Error('not let in'));
  readonly notify = () => void this.notified++;
  readonly end = () => void this.ended++;
}

describe('OpenStreams', () => {
  let streams: OpenStreams;
  beforeEach(() => {
    jest.useFakeTimers();
    streams = new OpenStreams(SETTINGS);
  });
  afterEach(async () => {
    await streams.close();
    jest.useRealTimers();
  });
  const opened = (stream = new FakeStream()) => Object.assign(stream, { remove: streams.add(stream, listing('same')) });

  describe('room', () => {
    const ended: string[] = [];
    beforeEach(() => void ended.splice(0));
    // Callers are of the tenant that their name begins with.
    const reserve = (principal: string, name = principal) => {
      const tenantId = principal.split('.')[0] ?? '';
      return streams.reserve({ principal, context: { tenantId, roles: [] } }, () => ended.push(name));
    };

    it('is bounded for each caller', () => {
      const free = reserve('acme.ann');
      reserve('acme.ann');
      expect(() => reserve('acme.ann')).toThrow(expect.objectContaining({ status: 429, code: 'RATE_LIMITED' }));
      free();
      expect(() => reserve('acme.ann')).not.toThrow();
    });

    it('is bounded for all: the oldest stream of the tenant that has most ends', () => {
      reserve('globex.gus');
      for (let n = 0; n < 20; n++) reserve(`acme.${n}`);
      expect(ended).toEqual(Array.from({ length: 18 }, (_, n) => `acme.${n}`));
      reserve('initech.ina');
      expect(ended.at(-1)).toBe('acme.18');
      reserve('globex.gil');
      expect(ended.at(-1)).toBe('globex.gus');
    });

    it('is freed once, and is not freed by a stream that has given way', () => {
      const free = [reserve('acme.1'), reserve('acme.2'), reserve('acme.3')];
      reserve('acme.4');
      expect(ended).toEqual(['acme.1']);
      free[0]?.();
      free[1]?.();
      free[1]?.();
      reserve('globex.1');
      expect(ended).toEqual(['acme.1']);
      reserve('globex.2');
      expect(ended).toEqual(['acme.1', 'acme.3']);
    });
  });

  it('reports a change to the streams whose list differs, and several changes once', async () => {
    const [changed, same] = [opened(), opened()];
    changed.list = 'other';
    streams.changed();
    streams.changed();
    await jest.advanceTimersByTimeAsync(1000);
    expect([changed.notified, same.notified]).toEqual([1, 0]);
    streams.changed();
    await jest.advanceTimersByTimeAsync(1000);
    expect(changed.notified).toBe(1);
  });

  it('compares lists once more, not once for each change, when they change while it compares', async () => {
    const stream = opened();
    await jest.advanceTimersByTimeAsync(0);
    let compared = 0;
    let answer: (digests: object) => void = () => undefined;
    Object.assign(stream, { digests: () => new Promise((resolve) => ((answer = resolve), compared++)) });
    for (let n = 0; n < 10; n++) {
      streams.changed();
      await jest.advanceTimersByTimeAsync(1000);
    }
    expect(compared).toBe(1);
    for (let n = 0; n < 10; n++) {
      answer(listing('same'));
      await jest.advanceTimersByTimeAsync(1000);
    }
    expect(compared).toBe(2);
  });

  it('compares one list in each turn of the event loop, so that other work goes on', async () => {
    jest.useRealTimers();
    const wide = new OpenStreams(SETTINGS);
    const turns = new Set<number>();
    let turn = 0;
    const count = () => (timer = setImmediate(() => (turn++, count())));
    let timer = setImmediate(count);
    const all = Array.from({ length: 100 }, () => new FakeStream());
    for (const stream of all) wide.add(stream, listing('same'));
    await new Promise((resolve) => setTimeout(resolve, 10));
    const compared = new Promise<void>((resolve) => {
      let left = all.length;
      for (const stream of all) {
        Object.assign(stream, {
          digests: async () => {
            turns.add(turn);
            if (--left === 0) resolve();
            return listing('same');
          },
        });
      }
    });
    wide.changed();
    await compared;
    clearImmediate(timer);
    await wide.close();
    expect(turns.size).toBe(all.length);
  });

  it('reports a change that happened while the stream was being opened', async () => {
    const late = new FakeStream();
    late.list = 'other';
    opened(late);
    await jest.advanceTimersByTimeAsync(0);
    expect(late.notified).toBe(1);
  });

  it('sends nothing to a stream that was removed', async () => {
    const gone = opened();
    gone.remove();
    gone.list = 'other';
    streams.changed();
    await jest.advanceTimersByTimeAsync(1000);
    expect(gone.notified).toBe(0);
  });

  it('goes on when a list cannot be read, and reports the change later', async () => {
    const [broken, sound] = [opened(), opened()];
    await jest.advanceTimersByTimeAsync(0);
    const digest = jest.spyOn(broken, 'digests').mockRejectedValueOnce(new Error('the gate is closed'));
    broken.list = sound.list = 'other';
    streams.changed();
    await jest.advanceTimersByTimeAsync(1000);
    expect([digest.mock.calls.length, broken.notified, sound.notified]).toEqual([1, 0, 1]);
    await jest.advanceTimersByTimeAsync(RECHECK_MS);
    expect(broken.notified).toBe(1);
  });

  it('ends the stream of a caller who is no longer let in, again and again', async () => {
    const [refused, later, staying] = [opened(), opened(), opened()];
    refused.isAllowed = false;
    await jest.advanceTimersByTimeAsync(RECHECK_MS);
    expect([refused.ended, later.ended, staying.ended]).toEqual([1, 0, 0]);
    later.isAllowed = false;
    await jest.advanceTimersByTimeAsync(RECHECK_MS);
    expect([refused.ended, later.ended, staying.ended]).toEqual([1, 1, 0]);
  });

  it('reports what changed without an event at the next recheck', async () => {
    const stream = opened();
    await jest.advanceTimersByTimeAsync(0);
    stream.list = 'other';
    await jest.advanceTimersByTimeAsync(RECHECK_MS);
    expect(stream.notified).toBe(1);
  });

  it('does not wait for a guard that never answers: others are served, and its stream ends', async () => {
    const [hanging, refused, changed] = [opened(), opened(), opened()];
    await jest.advanceTimersByTimeAsync(0);
    hanging.isAllowed = 'unknown';
    refused.isAllowed = false;
    changed.list = 'other';
    await jest.advanceTimersByTimeAsync(RECHECK_MS);
    expect([hanging.ended, refused.ended, changed.notified]).toEqual([0, 1, 1]);
    await jest.advanceTimersByTimeAsync(60_000);
    expect([hanging.ended, changed.ended]).toEqual([1, 0]);
  });

  it('ends all streams when it closes', async () => {
    const all = [opened(), opened()];
    await streams.close();
    expect(all.map(({ ended }) => ended)).toEqual([1, 1]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('ends a stream at once that is opened after it has closed', async () => {
    await streams.close();
    expect(opened().ended).toBe(1);
  });
});
