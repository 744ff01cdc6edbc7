import { githubOperations } from './github-operations.js';
import { GITHUB_REQUESTS } from './github-requests.js';
import type { LabelledSet } from './labelled-set.js';

/** GitHub's operations with hand-labelled requests. */
export async function githubSet(): Promise<LabelledSet> {
  const tools = await githubOperations();
  const names = new Set(tools.map(({ name }) => name));
  const canonicalName = (operation: string): string => {
    const name = `github.${operation.replaceAll(/[/-]/g, '_')}`;
    if (!names.has(name)) throw new Error(`GitHub's document has no operation ${operation}`);
    return name;
  };
  return {
    name: 'github',
    tools,
    queries: GITHUB_REQUESTS.map(({ query, operations }) => ({
      query,
      relevant: new Set(operations.map(canonicalName)),
    })),
  };
}
