import { dirname, join } from 'node:path';
import type { ToolDefinition } from '@tool-search/core';
import { OpenApiSource } from '@tool-search/openapi';
import { definitionOf, sortedByName } from './tool-definitions.js';

/** GitHub's REST API as the product's own source makes tools of it: over a thousand, which the dependencies bring. */
export async function githubOperations(): Promise<ToolDefinition[]> {
  const folder = dirname(require.resolve('@octokit/openapi/package.json'));
  const source = new OpenApiSource({ name: 'github', document: join(folder, 'generated/api.github.com.json') });
  const declarations = await source.load(new AbortController().signal);
  return sortedByName(declarations.map((declaration) => definitionOf({ ...declaration, namespace: source.name })));
}
