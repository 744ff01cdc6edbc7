import { ToolCatalog, type ToolDefinition, ToolEvents, type ToolSource } from '@tool-search/core';
import type { CatalogSnapshot } from '@tool-search/core/engine';
import { jsonSchemaValidator } from '@tool-search/core/source';
import { catalogSettings } from '@tool-search/core/testing';
import type { Refusal } from '@tool-search/core/internal';
import { wireFaults } from './wire-faults.js';

type CheckedTool = Omit<Refusal, 'code'> & { readonly code: string };

/** Result for the tools of some sources in one catalog. */
export interface CatalogCheck {
  /** Number of sources; one per file if a folder was given. */
  readonly files: number;
  /** Tools of the sources. */
  readonly tools: number;
  /** Tools that can be shown to models. */
  readonly accepted: number;
  readonly refused: readonly Refusal[];
  /** Tools that wait for an operator. */
  readonly quarantined: readonly CheckedTool[];
  /** Tools that can be shown to models, and that an operator should look at. */
  readonly reported: readonly CheckedTool[];
  /** Tools that were accepted with a change. */
  readonly amended: number;
  /** From a server's list to a tool in the published catalog; the fastest of three runs. */
  readonly msPerTool: number;
  /** Time to compile every schema. The product compiles each one at the first call of its tool. */
  readonly compileMs: number;
  /** Guarantees found broken, one line each. */
  readonly broken: readonly string[];
}

const RUNS = 3;
const MAX_MS_PER_TOOL = 1;

/** Loads all sources into one catalog, as an application would, and checks every guarantee of the catalog. */
export async function catalogCheck(sources: readonly ToolSource[]): Promise<CatalogCheck> {
  const runs: { readonly catalog: ToolCatalog; readonly ms: number }[] = [];
  for (let run = 0; run < RUNS; run++) runs.push(await takenUp(sources));
  // The fastest run excludes load from other processes.
  const { catalog, ms } = runs.reduce((best, each) => (each.ms < best.ms ? each : best));
  const snapshot = catalog.current();
  const states = catalog.sources();

  const refused = states.flatMap((state) => state.refused);
  const quarantined = snapshot.tools.flatMap(({ source, name, suspicion }) =>
    suspicion === undefined ? [] : [{ source, name, code: 'QUARANTINED', reason: suspicion }],
  );
  const reported = snapshot.tools.flatMap(({ source, name, finding }) =>
    finding ? [{ source, name, ...finding }] : [],
  );
  const tools = snapshot.tools.length + refused.length;
  const msPerTool = ms / Math.max(tools, 1);
  const compiling = performance.now();
  const uncompiled = await compileFaults(snapshot);
  const compileMs = performance.now() - compiling;
  return {
    files: sources.length,
    tools,
    accepted: snapshot.tools.length - quarantined.length,
    refused,
    quarantined,
    reported,
    amended: new Set(states.flatMap(({ source, amended }) => amended.map(({ name }) => `${source} ${name}`))).size,
    msPerTool,
    compileMs,
    broken: [
      ...states.filter(({ state }) => state !== 'ready').map(({ source, reason }) => `${source} is down: ${reason}`),
      ...(msPerTool >= MAX_MS_PER_TOOL ? [`a tool takes ${msPerTool.toFixed(2)} ms`] : []),
      ...uncompiled,
      ...wireFaults(snapshot.tools),
    ],
  };
}

async function takenUp(sources: readonly ToolSource[]): Promise<{ catalog: ToolCatalog; ms: number }> {
  const catalog = new ToolCatalog(undefined, new ToolEvents(), catalogSettings({ bootWaitMs: 600_000 }));
  const started = performance.now();
  await catalog.add(...sources);
  return { catalog, ms: performance.now() - started };
}

async function compileFaults(snapshot: CatalogSnapshot): Promise<string[]> {
  const faults: string[] = [];
  for (const [id, tool] of snapshot.tools.entries()) {
    try {
      // Only compilation matters here, not whether the arguments are valid.
      await snapshot.executorOf(id).validate({});
      if (tool.outputSchema) jsonSchemaValidator(outputKey(tool), tool.outputSchema)({});
    } catch (error) {
      faults.push(`a schema of ${tool.name} cannot be compiled: ${String(error)}`);
    }
  }
  return faults;
}

function outputKey({ hash }: ToolDefinition): string {
  return `output of ${hash}`;
}
