import type { EngineSpeed } from './engine-speed.js';
import type { Latency } from './interleaved-latency.js';

/** Reports the measures of each engine and compares the first engine with the others. */
export function speedReport(tools: number, engines: readonly EngineSpeed[]): string {
  const [ours, ...others] = engines;
  const ratios = ours ? others.map((other) => ratioLine(ours, other)) : [];
  return [`${tools} tools`, ...engines.map(block), ...(ratios.length > 0 ? [ratios.join('\n')] : [])].join('\n\n');
}

function block(engine: EngineSpeed): string {
  const {
    name,
    config,
    buildMs,
    buildBlockMs,
    firstMs,
    heapMb,
    bytesPerTool,
    longP50Ms,
    longP99Ms,
    newView,
    change,
    restart,
    hostile,
  } = engine;
  const lines = [
    `${name} (${config})`,
    line('build', `${buildMs.toFixed(0)} ms, ${heapMb.toFixed(1)} MB, ${bytesPerTool} bytes a tool`),
    line('first search', ms(firstMs)),
    line('short queries', latency(engine)),
    line('long queries', latency({ p50Ms: longP50Ms, p99Ms: longP99Ms })),
    ...Object.entries(engine.visible).map(([share, times]) => line(`${Number(share) * 100} % visible`, latency(times))),
    line('a new view', `first query p50 ${ms(newView.p50Ms)}, longest ${ms(newView.maxMs)}`),
  ];
  if (change) {
    const { addMs, editMs, removeMs, firstQueryMs } = change;
    const parts = [`added ${ms(addMs)}`, `changed ${ms(editMs)}`, `removed ${ms(removeMs)}`];
    lines.push(line('one tool', `${parts.join(', ')}; first query after it ${ms(firstQueryMs)}`));
  }
  if (restart) lines.push(line('first answer', `cold ${ms(restart.coldMs)}, from the cache ${ms(restart.cachedMs)}`));
  const blocks = [`build ${ms(buildBlockMs)}`, `query ${ms(engine.queryBlockMs)}`];
  if (change) blocks.push(`change ${ms(change.blockMs)}`);
  lines.push(line('longest block', blocks.join(', ')));
  if (hostile) {
    lines.push(line('hostile', `slowest ${ms(hostile.slowestMs)}, longest block ${ms(hostile.longestBlockMs)}`));
    const worst = [...hostile.answers].sort((a, b) => b.ms - a.ms).slice(0, 5);
    for (const answer of worst) {
      lines.push(line('', `${ms(answer.ms)}, block ${ms(answer.blockMs)}: ${answer.query} -> ${answer.outcome}`));
    }
  }
  return lines.join('\n');
}

function ratioLine(ours: EngineSpeed, other: EngineSpeed): string {
  const parts = [
    `${times(other.p50Ms, ours.p50Ms)} faster on short queries (p50)`,
    `${times(other.longP50Ms, ours.longP50Ms)} on long ones`,
    ...Object.entries(other.visible).flatMap(([share, { p50Ms }]) => {
      const own = ours.visible[share];
      return own ? [`${times(p50Ms, own.p50Ms)} with ${Number(share) * 100} % visible`] : [];
    }),
  ];
  return `${ours.name} against ${other.name}: ${parts.join(', ')}`;
}

function line(title: string, text: string): string {
  return `  ${title.padEnd(14)} ${text}`;
}

function latency({ p50Ms, p99Ms }: Latency): string {
  return `p50 ${ms(p50Ms)}, p99 ${ms(p99Ms)}`;
}

function ms(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : 0)} ms`;
}

function times(slow: number, fast: number): string {
  return `${(slow / fast).toFixed(1)} times`;
}
