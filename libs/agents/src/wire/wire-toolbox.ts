import {
  type CallOptions,
  type ExposureMode,
  type JsonSchema,
  type Surface,
  type SurfaceRequest,
  type ToolDefinition,
  type ToolResult,
} from '@tool-search/core';
import type { AdapterOptions, AgentToolbox, LeftOutTool } from './agent-toolbox.js';
import { type FittingTools, fittingTools } from './fitting-tools.js';
import { checkOwnNames } from './own-names.js';
import type { ProviderLimits } from './provider-limits.js';
import { WireNames } from './wire-names.js';

/** A tool as a provider is told about it. */
export interface WireTool {
  /** The name the model calls it by. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** To be declared so that the provider holds it back until a search names it; only in `native`. */
  readonly isDeferred: boolean;
  /** The definition; undefined for a meta tool. */
  readonly definition?: ToolDefinition;
}

/** What a model is given at one step, in the form of one provider. */
export interface WireStep {
  readonly mode: ExposureMode;
  /** Meta tools first, then always loaded ones, then found ones; what is new comes last. */
  readonly tools: readonly WireTool[];
  /** Guidance, directory and hints; `''` where there is nothing to say. */
  readonly prompt: string;
}

/** How a toolbox is put into a provider's terms. */
export interface WireToolboxOptions extends AdapterOptions, Pick<SurfaceRequest, 'canDefer'> {
  /** Names that other tools of the same request have; a tool of that name gets the next free one. @default none */
  readonly taken?: ReadonlySet<string>;
  /** Shared by those who speak of the same conversation. @default its own, of the provider's length */
  readonly names?: WireNames;
}

/** What is asked of one step. */
export interface WireRequest extends Pick<SurfaceRequest, 'text' | 'toolResults'> {
  /** Names of the caller's own tools in the same request: they count, and no other tool is listed under one of them. @default none */
  readonly own?: readonly string[];
}

/**
 * A toolbox in the terms of one provider: its names, its limits, its steps. What all adapters have in common; belongs to
 * one toolbox, so to one request.
 */
export class WireToolbox {
  readonly #names: WireNames;
  readonly #limits: ProviderLimits;
  readonly #reported = new Set<string>();
  /** The visible tools whose names are known. */
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
   * What the model is given now. Asked anew before every step: what was withdrawn meanwhile is gone.
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
    return { mode: surface.mode, tools, prompt: promptText(surface, overCount) };
  }

  /** Calls a tool or meta tool by the name the model uses. Never throws for a model's fault. */
  async call(name: string, input: unknown, options: Omit<CallOptions, 'naming'> = {}): Promise<ToolResult> {
    if (!this.#names.has(name) && name.includes('_')) await this.#learnNames();
    return this.toolbox.call(this.#names.meant(name), input, { ...options, naming: this.#names });
  }

  #fitting(surface: Surface, own: readonly string[]): FittingTools {
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
    return fittingTools(meta, tools, own, this.#limits);
  }

  async #report(leftOut: readonly LeftOutTool[]): Promise<void> {
    const fresh = leftOut.filter(({ tool }) => !this.#reported.has(tool));
    for (const each of fresh) {
      this.#reported.add(each.tool);
      this.options.onLeftOut?.(each);
    }
    if (fresh.length > 0) await this.toolbox.reportLeftOut?.(this.#limits.provider, fresh);
  }

  // A conversation may go on where another process had left it: the model knows names that were never shown here.
  async #learnNames(): Promise<void> {
    const visible = await this.toolbox.visible();
    if (visible === this.#learned) return;
    for (const tool of visible) this.#names.of(tool);
    this.#learned = visible;
  }
}

function promptText({ prompt: { guidance, directory, hints }, meta: [search] }: Surface, overCount: number): string {
  const over =
    overCount > 0 && search
      ? `${overCount} more tools do not fit into the list. Find them with ${search.name}; they can be called all the same.`
      : undefined;
  return [guidance, over, directory, hints].filter((part) => part !== undefined).join('\n\n');
}
