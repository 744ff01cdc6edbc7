import { githubSet } from './github-set.js';

describe('githubSet', () => {
  it('labels its requests with operations that the document has', () => {
    const { tools, queries } = githubSet();
    expect(tools.length).toBeGreaterThan(1_000);
    expect(queries.length).toBeGreaterThanOrEqual(60);
    expect(queries.filter(({ relevant }) => relevant.size === 0).length).toBeGreaterThan(0);
  });
});
