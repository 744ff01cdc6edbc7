import { createHash } from 'node:crypto';

/** A file of example queries: those of one server, or of an application. */
export interface QueryCatalog {
  /** Its subject: the npm package of an MCP server, or a name of the application's. */
  readonly package: string;
  /** By tool: the source's own names for a server, canonical names for an application. */
  readonly tools: Readonly<Record<string, QueriesOfTool>>;
}

/** The example queries of one tool, with the description that they were written for. */
export interface QueriesOfTool {
  /** See {@link descriptionHash}. */
  readonly hash: string;
  readonly queries: readonly string[];
}

/** First 12 hexadecimal digits of the SHA-256 of a description, in which any white space is one space. */
export function descriptionHash(description: string): string {
  return createHash('sha256').update(description.replaceAll(/\s+/g, ' ').trim()).digest('hex').slice(0, 12);
}

/** A catalog as text, one line for each tool, sorted by name: easy to review, and small changes stay small. */
export function queryCatalogText({ package: name, tools }: QueryCatalog): string {
  const lines = Object.entries(tools)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([tool, { hash, queries }]) => `${JSON.stringify(tool)}:${JSON.stringify({ hash, queries })}`);
  return `{\n"package": ${JSON.stringify(name)},\n"tools": {\n${lines.join(',\n')}\n}\n}\n`;
}
