import type { ControlInstance } from './control-store.js';
import { PropagationWatch } from './propagation-watch.js';

function watching() {
  const state = { looks: 0, revision: 0, hangs: false };
  const look = async (): Promise<readonly ControlInstance[]> => {
    state.looks += 1;
    if (state.hangs) await new Promise(() => undefined);
    return [{ id: 'late', appliedRevision: state.revision, silentMs: 0 }];
  };
  return { state, watch: new PropagationWatch(look, () => performance.now()) };
}

describe('who waits for all instances', () => {
  it('shares the looks with all others who wait, and they become fewer', async () => {
    const { state, watch } = watching();
    const answers = Array.from({ length: 40 }, () => watch.until(1, 600));
    expect((await Promise.all(answers)).every(({ pending }) => pending[0] === 'late')).toBe(true);
    // One query per caller at the start, then after 25, 75, 175 and 375 ms, and one that is in progress.
    expect(state.looks).toBeGreaterThan(40);
    expect(state.looks).toBeLessThanOrEqual(46);
  });

  it('resolves when the last one has applied it', async () => {
    const { state, watch } = watching();
    const both = [watch.until(1, 30_000), watch.until(2, 30_000)];
    state.revision = 1;
    expect(await both[0]).toMatchObject({ pending: [] });
    state.revision = 2;
    expect(await both[1]).toMatchObject({ pending: [] });
  });

  it('is answered by what was seen last when a later look hangs', async () => {
    const { state, watch } = watching();
    const answer = watch.until(1, 60);
    state.hangs = true;
    expect(await answer).toMatchObject({ pending: ['late'], instances: [{ id: 'late' }] });
  });

  it('looks once without a wait, and says what is wrong', async () => {
    const { state, watch } = watching();
    expect(await watch.until(1, 0)).toMatchObject({ pending: ['late'] });
    expect(state.looks).toBe(1);
    const broken = new PropagationWatch(
      () => Promise.reject(new Error('gone')),
      () => 0,
    );
    await expect(broken.until(1, 1000)).rejects.toThrow('gone');
  });
});
