import type { ToolDefinition } from '@tool-search/core';
import type { LabelledSet } from '../datasets/labelled-set.js';
import { localName } from '../datasets/tool-definitions.js';
import { mean } from './measures.js';
import type { SearchEngine } from '../engines/search-engine.js';
import { definitionOf, sortedByName } from '../datasets/tool-definitions.js';

const DEPTH = 5;
const FLOOD_NAMESPACE = 'flood';

/** Effect of a flood of clones on the first five hits; means over labelled requests. */
export interface FloodRecall {
  readonly name: string;
  readonly requests: number;
  readonly recall5Before: number;
  /** Recall when the flood clones the very tool that each request needs. */
  readonly recall5Targeted: number;
  /** The share of clones among the first five hits under such a flood. */
  readonly floodedHits: number;
  /** Recall of requests for other tools while one tool is cloned. */
  readonly recall5Bystanders: number;
}

/** Creates clones as another source would publish them: same description, tags and schema, numbered names. */
export function floodOf(tool: ToolDefinition, count: number): ToolDefinition[] {
  const { description, tags, inputSchema } = tool;
  return Array.from({ length: count }, (_, number) =>
    definitionOf({
      name: `${localName(tool)}_${number + 1}`,
      namespace: FLOOD_NAMESPACE,
      description,
      tags,
      inputSchema,
    }),
  );
}

/** Adds `clones` clones of one tool at a time to `tools`, which contains the set's own tools. */
export async function floodRecall(
  engine: SearchEngine,
  set: LabelledSet,
  tools: readonly ToolDefinition[],
  clones: number,
): Promise<FloodRecall> {
  const requests = set.queries.filter(({ relevant }) => relevant.size > 0);
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const ask = async ({ query, relevant }: LabelledSet['queries'][number]) => {
    const { names } = await engine.search(query, DEPTH);
    return {
      recall: names.filter((name) => relevant.has(name)).length / relevant.size,
      flooded: names.filter((name) => name.startsWith(`${FLOOD_NAMESPACE}.`)).length / DEPTH,
    };
  };
  const flood = async (target: string): Promise<void> => {
    const model = byName.get(target);
    if (!model) throw new Error(`the catalog is too small to hold ${target}; give a larger --tools`);
    const flooded = sortedByName([...tools, ...floodOf(model, clones)]);
    await (engine.change?.(flooded) ?? (() => engine.build(flooded)))();
  };

  await engine.build(tools);
  const before: number[] = [];
  for (const request of requests) before.push((await ask(request)).recall);

  const needed = ({ relevant }: LabelledSet['queries'][number]): string => [...relevant][0] ?? '';
  const targeted: Awaited<ReturnType<typeof ask>>[] = [];
  const bystanders: number[] = [];
  for (const target of new Set(requests.map(needed))) {
    await flood(target);
    for (const request of requests.filter((other) => needed(other) === target)) targeted.push(await ask(request));
    if (bystanders.length > 0) continue;
    for (const request of requests.filter((other) => !other.relevant.has(target))) {
      bystanders.push((await ask(request)).recall);
    }
  }
  return {
    name: engine.name,
    requests: requests.length,
    recall5Before: mean(before),
    recall5Targeted: mean(targeted.map(({ recall }) => recall)),
    floodedHits: mean(targeted.map(({ flooded }) => flooded)),
    recall5Bystanders: mean(bystanders),
  };
}
