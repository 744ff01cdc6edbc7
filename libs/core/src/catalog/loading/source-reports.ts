import type { NewToolEvent, ToolEvents } from '../../tool/tool-event.js';
import type { ToolSource } from '../../tool/tool-source.js';
import { type Ingested, toolCount } from '../ingest/ingest.js';

export class SourceReports {
  /** Hashes of the tools in quarantine, by name. */
  #quarantined: ReadonlyMap<string, string> = new Map();
  /** Hashes of the reported tools, by name. */
  #reported: ReadonlyMap<string, string> = new Map();
  /** Events about refused and amended tools of the last load. */
  #remarks: ReadonlySet<string> = new Set();

  constructor(
    private readonly source: ToolSource,
    private readonly events: ToolEvents,
  ) {}

  loaded(ingested: Ingested, ms: number): void {
    const source = this.source.name;
    const { tools, refused, amended } = ingested;
    this.events.emit({ type: 'source.loaded', source, tools: tools.length, refused: toolCount(refused), ms });
    this.#remark([
      ...refused.map(({ name: tool, ...rest }) => ({ type: 'tool.refused' as const, tool, ...rest })),
      ...amended.map(({ name: tool, ...rest }) => ({ type: 'tool.amended' as const, source, tool, ...rest })),
    ]);
    this.judged(ingested);
  }

  // Once: a source that is loaded every few seconds would fill the log with repetitions.
  #remark(remarks: readonly NewToolEvent[]): void {
    const known = this.#remarks;
    this.#remarks = new Set(remarks.map((remark) => JSON.stringify(remark)));
    for (const remark of remarks) if (!known.has(JSON.stringify(remark))) this.events.emit(remark);
  }

  /** Reports tools that are held, and tools that an operator should look at; each definition once. */
  judged({ tools }: Ingested): void {
    const { name: source } = this.source;
    const known = this.#quarantined;
    const waiting = tools.flatMap(({ definition: { name, hash, suspicion } }) =>
      suspicion === undefined ? [] : [{ name, hash, reason: suspicion }],
    );
    this.#quarantined = new Map(waiting.map(({ name, hash }) => [name, hash]));
    for (const { name, hash, reason } of waiting) {
      if (known.get(name) === hash) continue;
      this.events.emit({ type: 'tool.quarantined', source, tool: name, reason });
    }
    const reported = this.#reported;
    this.#reported = new Map(
      tools.flatMap(({ definition: { name, hash, finding, suspicion } }) =>
        finding && suspicion === undefined ? [[name, hash]] : [],
      ),
    );
    for (const { definition } of tools) {
      const { name, hash, finding, suspicion } = definition;
      // One that is held is not usable: its finding stands beside the reason in the quarantine.
      if (!finding || suspicion !== undefined || reported.get(name) === hash) continue;
      this.events.emit({ type: 'tool.reported', source, tool: name, ...finding });
    }
  }

  changed(before: Ingested, after: Ingested): void {
    const was = hashesOf(before);
    const is = hashesOf(after);
    const added = [...is.keys()].filter((name) => !was.has(name)).length;
    const removed = [...was.keys()].filter((name) => !is.has(name)).length;
    const changed = [...is].filter(([name, hash]) => was.has(name) && was.get(name) !== hash).length;
    if (added + removed + changed === 0) return;
    this.events.emit({ type: 'source.changed', source: this.source.name, added, changed, removed });
  }

  recovered(downMs: number): void {
    this.events.emit({ type: 'source.recovered', source: this.source.name, downMs });
  }
}

function hashesOf({ tools }: Ingested): ReadonlyMap<string, string> {
  return new Map(tools.map(({ definition: { name, hash } }) => [name, hash]));
}
