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
import type { ToolSet } from 'ai';
import { type AiSdkSourceOptions, aiSdkSourceOptions } from './ai-sdk-source-options.js';
import { codeToolOf, LeftOut } from './ai-sdk-tool.js';

/**
 * The Vercel AI SDK tools that an application already has, as deferred tools of the catalog: found by search, subject
 * to the same policies as all others, and callable through every adapter. Tools that could not run here as they do
 * there are left out, with a reason in the source's status: provider tools, tools that a client runs, and tools that
 * ask for an approval.
 *
 * A tool gets its `context` from the option of that name, and no `messages`: a catalog does not know the conversation.
 */
export class AiSdkSource implements ToolSource {
  readonly name: string;
  readonly owner: string;
  readonly description?: string;
  readonly loading: 'always' | 'deferred';
  readonly callTimeoutMs?: number;
  readonly loadTimeoutMs?: number;
  readonly limits?: SourceLimits;
  readonly inspection?: InspectionMode;

  readonly #options: AiSdkSourceOptions;
  readonly #watchers = new Set<() => void>();
  #given: AiSdkSourceOptions['tools'];
  #tools: ReadonlyMap<string, CodeTool> = new Map();
  #leftOut: readonly { readonly name: string; readonly reason: string }[] = [];

  /** @throws ToolSearchError `INVALID_CONFIGURATION` */
  constructor(given: AiSdkSourceOptions) {
    const options = parseOptions(aiSdkSourceOptions, given, 'AiSdkSource');
    const { name, owner, loading, tools, description, callTimeoutMs, loadTimeoutMs, limits, inspection } = options;
    this.name = name;
    this.owner = owner;
    this.loading = loading;
    Object.assign(this, { description, callTimeoutMs, loadTimeoutMs, limits, inspection });
    this.#options = options;
    this.#given = tools;
  }

  /** Replaces all tools; the catalog applies the change within `catalog.refreshEveryMs` (default 5 s). */
  replace(tools: ToolSet): void {
    this.#given = parseOptions(aiSdkSourceOptions, { ...this.#options, tools }, 'AiSdkSource').tools;
    for (const changed of this.#watchers) changed();
  }

  async load(): Promise<readonly ToolDeclaration[]> {
    const given = typeof this.#given === 'function' ? await this.#given() : this.#given;
    const tools = new Map<string, CodeTool>();
    const leftOut: { name: string; reason: string }[] = [];
    for (const [name, tool] of Object.entries(given)) {
      try {
        tools.set(name, await codeToolOf(name, tool, this.#options));
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
