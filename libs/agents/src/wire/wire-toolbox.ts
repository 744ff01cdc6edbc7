import type { JsonSchema, Surface, SurfaceRequest, ToolDefinition, ToolResult } from '@tool-search/core';
import type { CallOptions, ExposureMode } from '@tool-search/core/internal';
import type { AdapterOptions, AgentToolbox, LeftOutTool } from './agent-toolbox.js';
import { applyProviderLimits } from './apply-provider-limits.js';
import { checkOwnNames, WireNames } from './wire-names.js';
import type { ProviderLimits } from './provider-limits.js';

export interface WireTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** Whether the provider must defer it until a search names it; only in `native`. */
  readonly isDeferred: boolean;
  /** Undefined for a meta tool. */
  readonly definition?: ToolDefinition;
}

export interface WireStep {
  readonly mode: ExposureMode;
  /** Meta tools first, then always-loaded tools, then found ones; new tools come last. */
  readonly tools: readonly WireTool[];
  /** Guidance, directory and hints; `''` for none. */
  readonly prompt: string;
}

export interface WireToolboxOptions extends AdapterOptions, Pick<SurfaceRequest, 'canDefer'> {
  /** Names of other tools in the same request; a toolbox tool with such a name gets the next free one. @default none */
  readonly taken?: ReadonlySet<string>;
  /** Shared by all parts of the same conversation. @default own names, within the provider's limit */
  readonly names?: WireNames;
  /** Whether a call of a tool that is not listed reaches the toolbox. @default true */
  readonly runsUnlisted?: boolean;
}

export interface WireRequest extends Pick<SurfaceRequest, 'text' | 'toolResults'> {
  /** Names of the caller's own tools in the request: they count, and no other tool gets one. @default none */
  readonly own?: readonly string[];
}

/** A toolbox for one provider: its names, its limits, its steps. Belongs to one toolbox, so to one request. */
export class WireToolbox {
  readonly #names: WireNames;
  readonly #limits: ProviderLimits;
  readonly #reported = new Set<string>();
  #learned: readonly ToolDefinition[] | undefined;

  constructor(
    private readonly toolbox: AgentToolbox,
    limits: ProviderLimits,
    private readonly options: WireToolboxOptions = {},
  ) {
    this.#limits = { ...limits, ...options.limits };
    this.#names = options.names ?? new WireNames(this.#limits.nameChars, options.taken);
  }

  /**
   * The tools and prompt for the model now. Call it before every step: withdrawn tools are gone from the next step.
   *
   * @throws ToolSearchError `INVALID_CONFIGURATION` when one of the caller's own tools is named like a meta tool
   */
  async step({ own = [], ...request }: WireRequest = {}): Promise<WireStep> {
    const { mode, contextWindow, canDefer } = this.options;
    const surface = await this.toolbox.surface({
      ...request,
      naming: this.#names,
      ...(mode !== undefined && { mode }),
      ...(contextWindow !== undefined && { contextWindow }),
      ...(canDefer !== undefined && { canDefer }),
    });
    const { tools, leftOut, overCount } = this.#fitting(surface, own);
    await this.#report(leftOut);
    return { mode: surface.mode, tools, prompt: promptText(surface, overCount, this.options.runsUnlisted) };
  }

  /** Calls a tool or meta tool by the name the model uses. Returns a model's errors as failures. */
  async call(name: string, input: unknown, options: Omit<CallOptions, 'naming'> = {}): Promise<ToolResult> {
    if (!this.#names.has(name) && name.includes('_')) await this.#learnNames();
    return this.toolbox.call(this.#names.canonical(name), input, { ...options, naming: this.#names });
  }

  /** The visible tools that names of the model mean now. Unlike a step it shows nothing, so it leaves no trace. */
  async visible(names: readonly string[]): Promise<ReadonlyMap<string, ToolDefinition>> {
    if (names.some((name) => !this.#names.has(name))) await this.#learnNames();
    const visible = new Map((await this.toolbox.visible()).map((tool) => [tool.name, tool]));
    return new Map(
      names.flatMap((name) => {
        const tool = this.#names.has(name) ? visible.get(this.#names.canonical(name)) : undefined;
        return tool ? [[name, tool] as const] : [];
      }),
    );
  }

  #fitting(surface: Surface, own: readonly string[]) {
    checkOwnNames(
      new Set(own),
      surface.meta.map(({ name }) => name),
    );
    const meta = surface.meta.map((tool) => ({ ...tool, isDeferred: false }));
    const tools = surface.tools.map(({ definition, description, active }) => ({
      name: this.#names.of(definition),
      description,
      inputSchema: definition.inputSchema,
      isDeferred: surface.mode === 'native' && definition.loading === 'deferred',
      definition,
      isActive: active,
      isFound: surface.mode !== 'all' && definition.loading === 'deferred',
    }));
    return applyProviderLimits(meta, tools, own, this.#limits);
  }

  async #report(leftOut: readonly LeftOutTool[]): Promise<void> {
    const fresh = leftOut.filter(({ tool }) => !this.#reported.has(tool));
    for (const each of fresh) {
      this.#reported.add(each.tool);
      this.options.onLeftOut?.(each);
    }
    if (fresh.length > 0) await this.toolbox.reportLeftOut?.(this.#limits.provider, fresh);
  }

  // A conversation may have begun in another process, so the model may know names that were not shown here.
  async #learnNames(): Promise<void> {
    const visible = await this.toolbox.visible();
    if (visible === this.#learned) return;
    for (const tool of visible) this.#names.of(tool);
    this.#learned = visible;
  }
}

function promptText(
  { prompt: { guidance, directory, hints }, meta: [search] }: Surface,
  overCount: number,
  runsUnlisted = true,
): string {
  const then = runsUnlisted ? 'they can be called all the same' : 'those that are found are listed in the next step';
  const over =
    overCount > 0 && search
      ? `${overCount} more tools do not fit into the list. Find them with ${search.name}; ${then}.`
      : undefined;
  return [guidance, over, directory, hints].filter((part) => part !== undefined).join('\n\n');
}
