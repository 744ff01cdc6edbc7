import {
  isToolSearchError,
  type SourceAnswer,
  type ToolCall,
  type ToolContext,
  type ToolDeclaration,
  ToolSearchError,
  type ToolSource,
} from '@tool-search/core';
import type { CodeTool, SourceLimits, InspectionMode } from '@tool-search/core/internal';
import type { SdkSourceOptions } from './sdk-source-options.js';

/** One call of a tool. */
export interface SdkCall {
  readonly input: unknown;
  readonly context: ToolContext;
  readonly call: ToolCall;
}

/** The reason why a tool of an SDK cannot be added to the catalog. */
export class LeftOut extends Error {}

interface SdkOptions<Tools> extends SdkSourceOptions {
  readonly tools: Tools | (() => Tools | PromiseLike<Tools>);
}

interface WithDefaults {
  readonly owner: string;
  readonly loading: 'always' | 'deferred';
}

/** Tools of an agent SDK as a source: converted at each load, and replaceable while the application runs. */
export abstract class SdkToolsSource<Tools extends object, Options extends SdkOptions<Tools>> implements ToolSource {
  readonly name: string;
  readonly owner: string;
  readonly description?: string;
  readonly loading: 'always' | 'deferred';
  readonly callTimeoutMs?: number;
  readonly loadTimeoutMs?: number;
  readonly limits?: SourceLimits;
  readonly inspection?: InspectionMode;

  readonly #options: Options;
  readonly #watchers = new Set<() => void>();
  #given: Options['tools'];
  #tools: ReadonlyMap<string, CodeTool> = new Map();
  #leftOut: readonly { readonly name: string; readonly reason: string }[] = [];

  /** @param checked checks options. @throws ToolSearchError `INVALID_CONFIGURATION` */
  protected constructor(
    given: unknown,
    private readonly checked: (options: unknown) => Options & WithDefaults,
  ) {
    const options = checked(given);
    const { name, owner, loading, tools, description, callTimeoutMs, loadTimeoutMs, limits, inspection } = options;
    this.name = name;
    this.owner = owner;
    this.loading = loading;
    Object.assign(this, { description, callTimeoutMs, loadTimeoutMs, limits, inspection });
    this.#options = options;
    this.#given = tools;
  }

  protected abstract nameOf(key: string, tool: Tools[keyof Tools]): string;

  /** @throws LeftOut with the reason why it cannot be a tool of the catalog */
  protected abstract converted(name: string, tool: Tools[keyof Tools], options: Options): CodeTool | Promise<CodeTool>;

  /** Replaces all tools; the catalog applies the change within `tuning.catalog.refreshEveryMs` (default 5 s). */
  replace(tools: Tools): void {
    this.#given = this.checked({ ...this.#options, tools }).tools;
    for (const changed of this.#watchers) changed();
  }

  async load(): Promise<readonly ToolDeclaration[]> {
    const given = typeof this.#given === 'function' ? await this.#given() : this.#given;
    const tools = new Map<string, CodeTool>();
    const leftOut: { name: string; reason: string }[] = [];
    for (const [key, tool] of Object.entries(given) as [string, Tools[keyof Tools]][]) {
      const name = this.nameOf(key, tool);
      try {
        if (tools.has(name)) throw new LeftOut('another tool of the source has the same id');
        tools.set(name, await this.converted(name, tool, this.#options));
      } catch (error) {
        // A faulty tool must not cost the others.
        const isPublic = error instanceof LeftOut || isToolSearchError(error);
        leftOut.push({ name, reason: isPublic ? error.message : 'its input schema cannot be read' });
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
