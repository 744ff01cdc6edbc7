import { searchHashOf } from '../../text/search-hash.js';
import type { ToolDefinition } from '../../../tool/tool-definition.js';
import { catalogOrder } from '../../../tool/snapshot/catalog-snapshot.js';
import type { TimeSlicer } from '../../../async/time-slicer.js';
import { GONE } from '../index/segment.js';

const STEP = 2_048;

/** Per tool of `next`: its position in `previous`, {@link GONE} if new or changed. One pass over both sorted lists. */
export async function matchTools(
  next: readonly ToolDefinition[],
  previous: readonly ToolDefinition[],
  slices: TimeSlicer,
): Promise<Int32Array> {
  const positions = new Int32Array(next.length).fill(GONE);
  let old = 0;
  await slices.each(next.length, STEP, (from, to) => {
    for (let id = from; id < to; id++) {
      const tool = next[id];
      if (!tool) continue;
      let candidate = previous[old];
      while (candidate && candidate !== tool && catalogOrder(candidate, tool) < 0) candidate = previous[++old];
      if (candidate && isSame(candidate, tool)) positions[id] = old++;
    }
  });
  return positions;
}

/** Per tool: the position of its hash, {@link GONE} if missing, ascending. Costs little if the order is the same. */
export async function matchHashes(
  tools: readonly ToolDefinition[],
  hashes: readonly string[],
  slices: TimeSlicer,
): Promise<Int32Array> {
  const positions = new Int32Array(tools.length).fill(GONE);
  let known: Map<string, number> | undefined;
  let next = 0;
  for (let from = 0; from < tools.length; from += STEP) {
    for (let id = from; id < Math.min(tools.length, from + STEP); id++) {
      const tool = tools[id];
      const hash = tool ? searchHashOf(tool) : '';
      if (hashes[next] !== hash) {
        known ??= await positionsOf(hashes, slices);
        const position = known.get(hash) ?? GONE;
        // Segments are merged in ascending order, so a tool that moved back counts as new.
        if (position < next) continue;
        next = position;
      }
      positions[id] = next++;
    }
    if (slices.due) await slices.pause();
  }
  return positions;
}

async function positionsOf(hashes: readonly string[], slices: TimeSlicer): Promise<Map<string, number>> {
  const positions = new Map<string, number>();
  await slices.each(hashes.length, STEP, (from, to) => {
    for (let position = from; position < to; position++) positions.set(hashes[position] ?? '', position);
  });
  return positions;
}

function isSame(a: ToolDefinition, b: ToolDefinition): boolean {
  return a === b || (searchHashOf(a) === searchHashOf(b) && a.name === b.name && a.owner === b.owner);
}
