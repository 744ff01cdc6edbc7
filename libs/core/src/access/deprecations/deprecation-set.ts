import { z } from 'zod';
import { type Deprecation, isDeprecation, sunsetOf } from '../../tool/deprecation.js';
import type { CatalogSnapshot } from '../../tool/snapshot/catalog-snapshot.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { ReadRecord } from '../control/control-kind.js';
import { readFields } from '../control/record-fields.js';
import { type StoredDecision, storedDecision } from '../control/stored-decision.js';

/** A deprecation in the control store. It replaces the one in the tool's definition. */
export interface StoredDeprecation extends Deprecation, StoredDecision {
  /** Canonical name. */
  readonly tool: string;
}

const storedTool = storedDecision.extend({ tool: z.string() });

/** @throws ToolSearchError `INTERNAL` for a record that cannot be read */
export function storedDeprecationOf({ value, revision }: ReadRecord): StoredDeprecation {
  const deprecation = value['deprecation'];
  if (!isDeprecation(deprecation)) {
    throw new ToolSearchError('INTERNAL', 'A stored deprecation cannot be read.', {
      hint: 'A newer version may have written it: run the same version everywhere.',
    });
  }
  return { ...(deprecation as Deprecation), ...readFields(storedTool, value), revision };
}

/** All deprecations by operators of one control revision, over those in definitions. Immutable. */
export class DeprecationSet {
  readonly #byTool: ReadonlyMap<string, StoredDeprecation>;
  readonly #sunsets: readonly number[];

  constructor(stored: readonly StoredDeprecation[]) {
    this.#byTool = new Map(stored.map((each) => [each.tool, each]));
    this.#sunsets = stored.map(sunsetOf).filter((at) => at !== Infinity);
  }

  of(tool: ToolDefinition): Deprecation | undefined {
    return this.#byTool.get(tool.name) ?? tool.deprecated;
  }

  isRetired(tool: ToolDefinition, now: number): boolean {
    return sunsetOf(this.of(tool)) <= now;
  }

  /**
   * How many sunsets have passed, of tools in the snapshot and in the control store. While the number is the same, the
   * same tools are retired; 0 means that none is.
   */
  passed(snapshot: CatalogSnapshot, now: number): number {
    const past = (times: readonly number[]) => times.filter((at) => at <= now).length;
    return past(this.#sunsets) + past(sunsetsIn(snapshot));
  }
}

// Few definitions have a sunset, and every request would otherwise look at all of them.
const inDefinitions = new WeakMap<CatalogSnapshot, readonly number[]>();

function sunsetsIn(snapshot: CatalogSnapshot): readonly number[] {
  const known = inDefinitions.get(snapshot);
  if (known) return known;
  const { below, size } = snapshot;
  const first = below?.size ?? 0;
  const own = Array.from({ length: size - first }, (_, index) => sunsetOf(snapshot.at(first + index).deprecated));
  const sunsets = [...(below ? sunsetsIn(below) : []), ...own.filter((at) => at !== Infinity)];
  inDefinitions.set(snapshot, sunsets);
  return sunsets;
}
