import { GITHUB_REQUESTS } from './github-requests.js';
import { IMPOSSIBLE_REQUESTS } from './impossible-requests.js';

const words = (request: string): number => request.split(/\s+/).length;

describe('IMPOSSIBLE_REQUESTS', () => {
  it('holds terse and long requests, each once', () => {
    expect(IMPOSSIBLE_REQUESTS.length).toBeGreaterThanOrEqual(120);
    expect(new Set(IMPOSSIBLE_REQUESTS).size).toBe(IMPOSSIBLE_REQUESTS.length);
    expect(IMPOSSIBLE_REQUESTS.filter((request) => words(request) <= 5).length).toBeGreaterThanOrEqual(20);
    expect(IMPOSSIBLE_REQUESTS.filter((request) => words(request) >= 30).length).toBeGreaterThanOrEqual(20);
  });

  it('holds no request that GitHub is known to serve', () => {
    const served = GITHUB_REQUESTS.filter(({ operations }) => operations.length > 0).map(({ query }) => query);
    expect(IMPOSSIBLE_REQUESTS.filter((request) => served.includes(request))).toEqual([]);
  });
});
