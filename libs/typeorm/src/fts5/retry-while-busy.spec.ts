import { retryWhileBusy } from './retry-while-busy.js';

const busy = () => Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY_SNAPSHOT' });

describe('patiently', () => {
  it('tries again while another process has the database', async () => {
    let tries = 0;
    const work = () => {
      tries += 1;
      if (tries < 3) throw busy();
      return 'done';
    };
    expect([await retryWhileBusy(work), tries]).toEqual(['done', 3]);
  });

  it('passes any other fault on at once', async () => {
    let tries = 0;
    const work = () => {
      tries += 1;
      return Promise.reject(new Error('no such table'));
    };
    await expect(retryWhileBusy(work)).rejects.toThrow('no such table');
    expect(tries).toBe(1);
  });

  it('stops when it is no longer wanted', async () => {
    const controller = new AbortController();
    const work = () => {
      controller.abort(new Error('gone'));
      throw busy();
    };
    await expect(retryWhileBusy(work, controller.signal)).rejects.toThrow('gone');
  });
});
