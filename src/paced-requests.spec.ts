import { setImmediate } from 'node:timers/promises';
import { pacedRequests } from './paced-requests.js';

describe('pacedRequests', () => {
  /**
   * Runs requests of some milliseconds each that arrive at once.
   *
   * @returns the requests that ran in each turn of the event loop
   */
  async function turnsOf(count: number, ms: number): Promise<readonly (readonly number[])[]> {
    let clock = 0;
    const pace = pacedRequests(() => clock);
    const turns: number[][] = [];
    let done = 0;
    for (let i = 0; i < count; i++) {
      const work = async (): Promise<void> => {
        await Promise.resolve();
        clock += ms;
        done++;
        turns.at(-1)?.push(i);
      };
      pace({} as never, {} as never, () => void work());
    }
    while (done < count) {
      turns.push([]);
      await setImmediate();
    }
    return turns.filter((ran) => ran.length > 0);
  }

  it('leaves what is more than 20 ms of work to the next turn, in the order of arrival', async () => {
    const turns = await turnsOf(200, 3);
    expect(turns.flat()).toEqual(Array.from({ length: 200 }, (_, i) => i));
    for (const ran of turns) expect(ran.length).toBeLessThanOrEqual(7);
    expect(turns.length).toBeLessThanOrEqual(Math.ceil(200 / 7) + 1);
  });

  it('answers short requests in one turn', async () => {
    expect(await turnsOf(10, 1)).toHaveLength(1);
  });

  it('begins one request in a turn even where each takes longer than that', async () => {
    expect(await turnsOf(5, 100)).toEqual([[0], [1], [2], [3], [4]]);
  });
});
