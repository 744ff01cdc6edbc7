import { githubSet } from './github-set.js';

describe('githubSet', () => {
  it('labels its requests with operations that the document has', async () => {
    const { tools, queries } = await githubSet();
    expect(tools.length).toBeGreaterThan(1_000);
    expect(queries.length).toBeGreaterThanOrEqual(60);
    expect(queries.filter(({ relevant }) => relevant.size === 0).length).toBeGreaterThan(0);
  });
});
