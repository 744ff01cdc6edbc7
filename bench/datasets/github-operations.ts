import { dirname, join } from 'node:path';
import type { ToolDefinition } from '@tool-search/core';
import { OpenApiSource } from '@tool-search/openapi';
import { definitionOf, sortedByName } from './tool-definitions.js';

/**
 * More than 1,000 tools that the product's OpenAPI source makes of GitHub's REST API; a dependency brings the document.
 */
export async function githubOperations(): Promise<ToolDefinition[]> {
  const folder = dirname(require.resolve('@octokit/openapi/package.json'));
  const source = new OpenApiSource({ name: 'github', document: join(folder, 'generated/api.github.com.json') });
  const declarations = await source.load(new AbortController().signal);
  return sortedByName(declarations.map((declaration) => definitionOf({ ...declaration, namespace: source.name })));
}
