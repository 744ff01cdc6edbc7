import { readFile, stat } from 'node:fs/promises';
import { z } from 'zod';
import { descriptionHash, type QueriesOfTool } from './query-catalog.js';
import { canonicalName } from '../../tool/tool-name.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import { cleanedQueries } from './cleaned-queries.js';
import type { QueryFile } from './example-query-options.js';

const MAX_BYTES = 32 * 1024 * 1024;
const MAX_PER_TOOL = 20;

const Catalog = z.object({
  package: z.string(),
  tools: z.record(z.string(), z.object({ hash: z.string(), queries: z.array(z.string()) })),
});

/** Example queries from files, by canonical name. Of two files with the same tool and hash the first one counts. */
export class FiledQueries {
  readonly #tools = new Map<string, QueriesOfTool[]>();

  /** @throws ToolSearchError `INVALID_CONFIGURATION` for a file that is missing, too large or of another format */
  static async read(files: readonly (string | QueryFile)[]): Promise<FiledQueries> {
    const filed = new FiledQueries();
    for (const file of files) await filed.#add(typeof file === 'string' ? { path: file } : file);
    return filed;
  }

  get size(): number {
    return this.#tools.size;
  }

  /** The queries for this tool, if its description is still the one that they were written for. */
  of(tool: Pick<ToolDefinition, 'name' | 'description'>): readonly string[] {
    const known = this.#tools.get(tool.name);
    if (!known) return [];
    const hash = descriptionHash(tool.description);
    return known.find((each) => each.hash === hash)?.queries ?? [];
  }

  async #add({ path, source }: QueryFile): Promise<void> {
    for (const [name, { hash, queries }] of Object.entries(await catalogOf(path))) {
      const tool = source === undefined ? name : canonicalName(source, name);
      const usable = cleanedQueries(queries, MAX_PER_TOOL);
      if (usable.length > 0) this.#tools.set(tool, [...(this.#tools.get(tool) ?? []), { hash, queries: usable }]);
    }
  }
}

async function catalogOf(path: string): Promise<Readonly<Record<string, QueriesOfTool>>> {
  const { size } = await stat(path).catch((cause: unknown) => {
    throw wrong(path, 'cannot be read', cause);
  });
  if (size > MAX_BYTES) throw wrong(path, `is larger than ${MAX_BYTES} bytes`);
  try {
    return Catalog.parse(JSON.parse(await readFile(path, 'utf8'))).tools;
  } catch (cause) {
    throw wrong(path, 'is no file of example queries: { package, tools: { name: { hash, queries } } }', cause);
  }
}

function wrong(path: string, fault: string, cause?: unknown): ToolSearchError {
  return new ToolSearchError('INVALID_CONFIGURATION', `search.exampleQueries.files: ${path} ${fault}.`, {
    hint: 'tool-search enrich writes such a file; the path is relative to the working directory.',
    cause,
  });
}
