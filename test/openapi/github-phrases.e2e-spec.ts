import { dirname, join } from 'node:path';
import type { ToolDeclaration } from '@tool-search/core';
import { openToolbox } from '@tool-search/core/testing';
import { OpenApiSource } from '@tool-search/openapi';
import { withPhrases } from '@tool-search/phrases';

const document = join(dirname(require.resolve('@octokit/openapi/package.json')), 'generated', 'api.github.com.json');
const github = () => withPhrases(new OpenApiSource({ name: 'github', document }), 'github-rest');

describe("phrases for GitHub's REST API", () => {
  let tools: readonly ToolDeclaration[];

  it('fit all operations as OpenApiSource declares them', async () => {
    const source = github();
    tools = await source.load(new AbortController().signal);
    await source.close();
    expect(tools.length).toBeGreaterThan(1000);
    expect(tools.filter(({ exampleQueries }) => exampleQueries?.length !== 3)).toEqual([]);
  });

  it('let a search find a tool by words that it does not have', async () => {
    const { exampleQueries = [] } = tools.find(({ name }) => name === 'issues_create') ?? {};
    const { toolbox, close } = await openToolbox({ sources: [github()] });
    for (const query of exampleQueries) {
      const { tools: found } = await toolbox.search({ query, limit: 3 });
      expect(found.map(({ name }) => name)).toContain('github.issues_create');
    }
    await close();
  });
});
