import { parseArgs } from 'node:util';
import { githubSet } from './github-set.js';
import { type LabelledSet, readLabelledSet } from './labelled-set.js';
import { type RankedQuery, retrievalMeasures, type RetrievalMeasures } from './measures.js';
import { MiniSearchEngine } from './mini-search-engine.js';
import type { SearchEngine } from './search-engine.js';
import { ToolSearchEngine } from './tool-search-engine.js';

const DEPTH = 10;

interface EngineResult extends RetrievalMeasures {
  readonly name: string;
  readonly buildMs: number;
}

interface SetResult {
  readonly set: string;
  readonly tools: number;
  readonly queries: number;
  readonly engines: readonly EngineResult[];
}

async function evaluate(set: LabelledSet, engine: SearchEngine): Promise<EngineResult> {
  const started = performance.now();
  await engine.build(set.tools);
  const buildMs = performance.now() - started;
  const ranked: RankedQuery[] = [];
  for (const { query, relevant } of set.queries) {
    const asked = performance.now();
    const { names, saysNone } = await engine.search(query, DEPTH);
    ranked.push({ found: saysNone ? [] : names, relevant, saysNone, ms: performance.now() - asked });
  }
  return { name: engine.name, ...retrievalMeasures(ranked), buildMs };
}

function table(results: readonly SetResult[]): string {
  const columns = ['ndcg5', 'ndcg10', 'recall1', 'recall3', 'recall5', 'recall10', 'mrr', 'complete5'] as const;
  const head = ['set', 'tools', 'queries', 'engine', ...columns, 'refused', 'p50 ms', 'p95 ms', 'build ms'];
  const rows = results.flatMap(({ set, tools, queries, engines }) =>
    engines.map((engine) => [
      set,
      String(tools),
      String(queries),
      engine.name,
      ...columns.map((column) => engine[column].toFixed(3)),
      String(engine.answerableRefused),
      engine.p50Ms.toFixed(2),
      engine.p95Ms.toFixed(2),
      engine.buildMs.toFixed(0),
    ]),
  );
  const widths = head.map((title, column) =>
    Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0), title.length),
  );
  return [head, ...rows]
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .join('\n');
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      data: { type: 'string', multiple: true },
      compare: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const results: SetResult[] = [];
  for (const read of values.data?.map((file) => () => readLabelledSet(file)) ?? [githubSet]) {
    const set = await read();
    const engines: EngineResult[] = [];
    const contenders = [new ToolSearchEngine(), ...(values.compare ? [new MiniSearchEngine()] : [])];
    for (const engine of contenders) engines.push(await evaluate(set, engine));
    results.push({ set: set.name, tools: set.tools.length, queries: set.queries.length, engines });
  }
  const [only, ...more] = results;
  if (values.json) console.log(JSON.stringify(more.length === 0 ? only : { sets: results }));
  else console.log(table(results));
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
