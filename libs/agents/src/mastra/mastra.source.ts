import {
  type CodeTool,
  type SourceAnswer,
  type SourceLimits,
  type ToolCall,
  type ToolContext,
  type ToolDeclaration,
  ToolSearchError,
  type ToolSource,
} from '@tool-search/core';
import { type InspectionMode, parseOptions } from '@tool-search/core/source';
import { type MastraSourceOptions, mastraSourceOptions } from './mastra-source-options.js';
import type { MastraTools } from './mastra-types.js';
import { codeToolOf, LeftOut, nameOf } from './mastra-tool.js';

/**
 * The Mastra tools that an application already has, as deferred tools of the catalog: found by search, subject to the
 * same policies as all others, and callable through every adapter. A tool's name is its `id`, as in Mastra's
 * `ToolSearchProcessor`. Tools that could not run here as they do there are left out, with a reason in the source's
 * status: provider tools, tools that a client runs, tools that suspend their run, and tools that ask for an approval.
 *
 * A tool gets its `requestContext` and `mastra` from the options of that name, and no `agent`, `memory` or `workspace`:
 * a catalog does not know the conversation.
 */
export class MastraSource implements ToolSource {
  readonly name: string;
  readonly owner: string;
  readonly description?: string;
  readonly loading: 'always' | 'deferred';
  readonly callTimeoutMs?: number;
  readonly loadTimeoutMs?: number;
  readonly limits?: SourceLimits;
  readonly inspection?: InspectionMode;

  readonly #options: MastraSourceOptions;
  readonly #watchers = new Set<() => void>();
  #given: MastraSourceOptions['tools'];
  #tools: ReadonlyMap<string, CodeTool> = new Map();
  #leftOut: readonly { readonly name: string; readonly reason: string }[] = [];

  /** @throws ToolSearchError `INVALID_CONFIGURATION` */
  constructor(given: MastraSourceOptions) {
    const options = parseOptions(mastraSourceOptions, given, 'MastraSource');
    const { name, owner, loading, tools, description, callTimeoutMs, loadTimeoutMs, limits, inspection } = options;
    this.name = name;
    this.owner = owner;
    this.loading = loading;
    Object.assign(this, { description, callTimeoutMs, loadTimeoutMs, limits, inspection });
    this.#options = options;
    this.#given = tools;
  }

  /** Replaces all tools; the catalog applies the change within `catalog.refreshEveryMs` (default 5 s). */
  replace(tools: MastraTools): void {
    this.#given = parseOptions(mastraSourceOptions, { ...this.#options, tools }, 'MastraSource').tools;
    for (const changed of this.#watchers) changed();
  }

  async load(): Promise<readonly ToolDeclaration[]> {
    const given = typeof this.#given === 'function' ? await this.#given() : this.#given;
    const tools = new Map<string, CodeTool>();
    const leftOut: { name: string; reason: string }[] = [];
    for (const [key, tool] of Object.entries(given)) {
      const name = nameOf(key, tool);
      try {
        if (tools.has(name)) throw new LeftOut('another tool of the source has the same id');
        tools.set(name, codeToolOf(name, tool, this.#options));
      } catch (error) {
        if (!(error instanceof LeftOut)) throw error;
        leftOut.push({ name, reason: error.message });
      }
    }
    this.#tools = tools;
    this.#leftOut = leftOut;
    const { namespace = this.name } = this.#options;
    return Array.from(tools.values(), ({ declaration }) => ({ ...declaration, namespace }));
  }

  watch(changed: () => void): () => void {
    this.#watchers.add(changed);
    return () => this.#watchers.delete(changed);
  }

  leftOut() {
    return this.#leftOut;
  }

  async call(name: string, input: unknown, context: ToolContext, call: ToolCall): Promise<SourceAnswer> {
    const tool = this.#tools.get(name);
    if (!tool) throw new ToolSearchError('SOURCE_UNAVAILABLE', 'The source has no such tool any more.');
    return tool.run(input, context, call);
  }

  async close(): Promise<void> {}
}
