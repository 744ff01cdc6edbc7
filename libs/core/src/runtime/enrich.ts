import { stat, writeFile } from 'node:fs/promises';
import { queryCatalogText, type QueriesOfTool } from '../toolbox/example-queries/query-catalog.js';
import { descriptionHash } from '../toolbox/example-queries/query-catalog.js';
import type { ExampleQueryWriter } from '../toolbox/example-queries/writing/example-query-writer.js';
import { ToolEvents } from '../tool/tool-event.js';
import { ToolSearchError } from '../tool/tool-search.error.js';
import type { ToolSource } from '../tool/tool-source.js';
import type { WritingSpend } from '../toolbox/example-queries/tool-queries.js';
import {
  type ExampleQueryOptions,
  exampleQuerySchema,
  type ExampleQueryTuning,
} from '../toolbox/example-queries/example-query-options.js';
import { parseOptions } from '../options/parse-options.js';
import { createRuntime } from './create-runtime.js';
import { runtimeSettings } from './runtime-settings.js';

/** The tools to write example queries for, and the writer. */
export interface EnrichSetup extends Omit<ExampleQueryOptions, 'files' | 'tenants' | 'writer'>, ExampleQueryTuning {
  /** Sources of the tools. Their tools are loaded and never called; the sources are closed at the end. */
  readonly sources: readonly ToolSource[];
  readonly writer: ExampleQueryWriter;
  /** Name of the file's content, for readers. @default 'application' */
  readonly name?: string;
}

/** Result of writing a file of example queries. */
export interface EnrichReport {
  /** Tools in the file. */
  readonly tools: number;
  /** Tools whose queries were written now; the others were in the file before. */
  readonly written: number;
  /** Names of tools that should have queries and have none. */
  readonly missing: readonly string[];
  readonly spend: WritingSpend;
  /** Why writing ended early, if it did. */
  readonly reason?: string;
}

// A writer that fails this often in a row is not waited for: a person runs the command again.
const MAX_FAULTS = 4;
const WAITS = { lookAgainMs: 1_000, minRetryMs: 1_000 };

/**
 * Writes a file of example queries that a team reviews and commits, for the option `search.exampleQueries.files`. What
 * the file has stays where the description is still the same, also edited by hand; only the rest is written.
 *
 * @param waits how long a failing writer is left alone, for tests
 * @throws ToolSearchError `INVALID_CONFIGURATION`, also for a file of another format; `SOURCE_UNAVAILABLE` for a source
 *   that does not load: its tools would be missing in the file, which stays as it is
 */
export async function enrich(file: string, setup: EnrichSetup, waits = WAITS): Promise<EnrichReport> {
  const { sources, writer, name = 'application', ...given } = setup;
  const { batchSize, concurrency, timeoutMs, ...options } = parseOptions(
    exampleQuerySchema,
    { ...given, writer },
    'tool-search enrich',
  );
  const events = new ToolEvents();
  const isThere = await stat(file).then(
    () => true,
    () => false,
  );
  const exampleQueries = { ...options, files: isThere ? [file] : [] };
  const settings = runtimeSettings({
    exposure: 'deferred',
    search: { exampleQueries },
    tuning: { search: { exampleQueries: { batchSize, concurrency, timeoutMs } } },
  });
  const runtime = createRuntime(settings, {}, { events, writingWaits: waits });
  let faults = 0;
  let written = 0;
  let reason: string | undefined;
  const ended = new Promise<void>((resolve) => {
    const look = () => {
      const { state, pending } = runtime.exampleQueries.status();
      if (pending === 0 || state === 'budget_spent') resolve();
    };
    events.on('example_queries.written', ({ tools }) => {
      faults = 0;
      written += tools;
      look();
    });
    events.on('example_queries.degraded', (failure) => {
      faults += 1;
      reason = failure.reason;
      if (faults >= MAX_FAULTS) resolve();
      look();
    });
    events.on('example_queries.budget_spent', () => {
      reason = 'the budget is spent';
      resolve();
    });
    events.on('catalog.published', look);
  });
  try {
    await runtime.start(...sources);
    const down = runtime.catalog.sources().filter(({ state }) => state !== 'ready');
    if (down.length > 0) {
      const names = down.map(({ source }) => source).join(', ');
      throw new ToolSearchError('SOURCE_UNAVAILABLE', `These sources did not load: ${names}.`, {
        hint: 'The file was not changed. Try again when they answer.',
      });
    }
    if (runtime.exampleQueries.status().pending > 0) await ended;
    const tools: Record<string, QueriesOfTool> = {};
    const missing: string[] = [];
    for (const { tool, added, writing } of runtime.exampleQueries.list()) {
      if (added.length > 0) tools[tool.name] = { hash: descriptionHash(tool.description), queries: added };
      if (writing === 'pending' || writing === 'given_up') missing.push(tool.name);
    }
    await writeFile(file, queryCatalogText({ package: name, tools }));
    const spend = await runtime.exampleQueries.spend();
    const isEarly = missing.length > 0 && reason !== undefined;
    return { tools: Object.keys(tools).length, written, missing, spend, ...(isEarly && { reason }) };
  } finally {
    await runtime.flush();
    await runtime.close();
  }
}
