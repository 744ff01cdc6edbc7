import type { ToolDeclaration } from '@tool-search/core';
import { openToolbox } from '@tool-search/core/testing';
import { OpenApiSource } from '@tool-search/openapi';
import { withPhrases } from '@tool-search/phrases';
import { GITHUB_DOCUMENT as document } from '../../src/github/github-document.js';

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

  it('become a part of the definition and of its hash, and not of its pin', async () => {
    const only = () => new OpenApiSource({ name: 'github', document, include: ['issues_create'], changes: 'strict' });
    const definitions = [only(), withPhrases(only(), 'github-rest')].map(async (source) => {
      const { catalog, close } = await openToolbox({ sources: [source] });
      const [definition] = catalog.tools();
      await close();
      return definition!;
    });
    const [bare, withQueries] = await Promise.all(definitions);
    expect([bare!.exampleQueries.length, withQueries!.exampleQueries.length]).toEqual([0, 3]);
    expect(withQueries!.hash).not.toBe(bare!.hash);
    expect(bare!.fingerprint).toMatch(/^[0-9a-f]+$/);
    expect(withQueries!.fingerprint).toBe(bare!.fingerprint);
  });
});
