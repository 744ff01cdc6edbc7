import type { ToolDefinition } from '@tool-search/core';
import { OpenApiSource } from '@tool-search/openapi';
import { GITHUB_DOCUMENT } from '../../src/github/github-document.js';
import { definitionOf, sortedByName } from './tool-definitions.js';

/**
 * More than 1,000 tools that the product's OpenAPI source makes of GitHub's REST API: the repository has its document.
 */
export async function githubOperations(): Promise<ToolDefinition[]> {
  const source = new OpenApiSource({ name: 'github', document: GITHUB_DOCUMENT });
  const declarations = await source.load(new AbortController().signal);
  return sortedByName(declarations.map((declaration) => definitionOf({ ...declaration, namespace: source.name })));
}
