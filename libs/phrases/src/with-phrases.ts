import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ToolDeclaration, ToolSearchError, type ToolSource } from '@tool-search/core';
import { isObject, descriptionHash, type QueryCatalog } from '@tool-search/core/internal';

const ENDING = '.json';

/**
 * Adds example queries to the tools of a source that declares none: three for each tool that the catalog knows and
 * whose description is still the one they were written for. They are searched, and never shown to a model.
 *
 * ```ts
 * withPhrases(new McpSource({ name: 'gitlab', command: 'npx', args: ['-y', '@zereight/mcp-gitlab'] }), '@zereight/mcp-gitlab')
 * ```
 *
 * @param catalog the npm package of the MCP server, or `github-rest` for GitHub's REST API
 * @throws ToolSearchError `INVALID_CONFIGURATION` for an unknown catalog
 */
export function withPhrases<S extends ToolSource>(source: S, catalog: string): S {
  const { tools } = readPhrases(catalog);
  // What is not a list, or no tool, is passed on as it is: ingestion reports it.
  const completed = (declarations: readonly ToolDeclaration[]) =>
    Array.isArray(declarations) ? declarations.map((tool) => withQueries(tool, tools)) : declarations;
  return new Proxy(source, {
    get: (target, key) => {
      if (key === 'load') {
        return async (...args: Parameters<ToolSource['load']>) => completed(await target.load(...args));
      }
      if (key === 'restore' && target.restore) {
        return (...args: Parameters<NonNullable<ToolSource['restore']>>) => completed(target.restore?.(...args) ?? []);
      }
      // Bound to the source itself, because private members do not exist on a proxy.
      const member: unknown = Reflect.get(target, key, target);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}

/** Names of the catalogs that {@link withPhrases} knows. */
export function phraseCatalogs(): readonly string[] {
  return readdirSync(folder())
    .map((file) => (JSON.parse(readFileSync(join(folder(), file), 'utf8')) as QueryCatalog).package)
    .sort();
}

function withQueries(tool: ToolDeclaration, known: QueryCatalog['tools']): ToolDeclaration {
  const { name, description, exampleQueries }: Partial<ToolDeclaration> = isObject(tool) ? tool : {};
  if (typeof name !== 'string' || typeof description !== 'string') return tool;
  if (exampleQueries !== undefined && (!Array.isArray(exampleQueries) || exampleQueries.length > 0)) return tool;
  const phrases = Object.hasOwn(known, name) ? known[name] : undefined;
  if (phrases?.hash !== descriptionHash(description)) return tool;
  return { ...tool, exampleQueries: phrases.queries };
}

/**
 * The requests of one catalog, by the server's own names of the tools, each with the hash of the description that they
 * were written for.
 *
 * @throws ToolSearchError `INVALID_CONFIGURATION` for an unknown catalog
 */
export function readPhrases(name: string): QueryCatalog {
  const file = `${name.replace('@', '').replaceAll('/', '__')}${ENDING}`;
  if (!readdirSync(folder()).includes(file)) {
    throw new ToolSearchError('INVALID_CONFIGURATION', `There are no phrases for ${JSON.stringify(name)}.`, {
      hint: 'phraseCatalogs() lists the packages that have them.',
    });
  }
  return JSON.parse(readFileSync(join(folder(), file), 'utf8')) as QueryCatalog;
}

function folder(): string {
  return join(dirname(require.resolve('@tool-search/phrases/package.json')), 'data');
}
