import type { EngineResult } from './evaluate-set.js';
import { type MeanResult, QUALITY } from './mean-result.js';
import { textTable } from './text-table.js';

/** The measures of all engines on one set. */
export interface SetResult {
  readonly set: string;
  readonly tools: number;
  readonly queries: number;
  readonly engines: readonly EngineResult[];
}

/** Reports the measures of all sets, their means if there are several sets, and the requests that no tool serves. */
export function retrievalReport(
  sets: readonly SetResult[],
  means: readonly MeanResult[],
  impossible?: SetResult,
): string {
  const head = [
    'set',
    'tools',
    'queries',
    'engine',
    ...QUALITY,
    'refused',
    'weak',
    'none or weak',
    'p50 ms',
    'p95 ms',
    'build ms',
  ];
  const rows = sets.flatMap(({ set, tools, queries, engines }) =>
    engines.map((engine) => [
      set,
      String(tools),
      String(queries),
      engine.name,
      ...QUALITY.map((measure) => engine[measure].toFixed(3)),
      String(engine.answerableRefused),
      String(engine.answerableWeak),
      saidNone(engine),
      engine.p50Ms.toFixed(2),
      engine.p95Ms.toFixed(2),
      engine.buildMs.toFixed(0),
    ]),
  );
  const meanRows = means.map((result) => [
    'mean',
    '',
    '',
    result.name,
    ...QUALITY.map((measure) => result[measure].toFixed(3)),
    String(result.answerableRefused),
    String(result.answerableWeak),
  ]);
  const tables = [textTable([head, ...rows, ...(sets.length > 1 ? meanRows : [])])];
  if (impossible) {
    tables.push(
      `${impossible.queries} requests that none of ${impossible.tools} tools serves\n${textTable([
        ['engine', 'none or weak', 'p50 ms', 'p95 ms'],
        ...impossible.engines.map((engine) => [
          engine.name,
          saidNone(engine),
          engine.p50Ms.toFixed(2),
          engine.p95Ms.toFixed(2),
        ]),
      ])}`,
    );
  }
  return tables.join('\n\n');
}

function saidNone({ none }: EngineResult): string {
  return none.queries === 0 ? '' : `${none.saidNone + none.saidWeak} of ${none.queries}`;
}
