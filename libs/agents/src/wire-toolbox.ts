import {
  type CallOptions,
  type ExposureMode,
  type JsonSchema,
  type Surface,
  type SurfaceRequest,
  type ToolDefinition,
  type ToolNaming,
  type ToolResult,
  wireName,
} from '@tool-search/core';
import type { AdapterOptions, AgentToolbox } from './agent-toolbox.js';
import type { ProviderLimits } from './provider-limits.js';

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

/**
 * A toolbox in the terms of one provider: its names, its limits, its steps. What all adapters have in common; belongs to
 * one toolbox, so to one request.
 */
export class WireToolbox {
  readonly #meant = new Map<string, string>();
  readonly #naming: ToolNaming;

  constructor(
    private readonly toolbox: AgentToolbox,
    private readonly limits: ProviderLimits,
    private readonly options: AdapterOptions & Pick<SurfaceRequest, 'canDefer'> = {},
  ) {
    this.#naming = {
      shown: (canonical) => this.#wireNameOf(canonical),
      meant: (shown) => this.#meant.get(shown) ?? shown,
    };
  }

  /** What the model is given now. Asked anew before every step: what was withdrawn meanwhile is gone. */
  async step(request: Pick<SurfaceRequest, 'text' | 'toolResults'> = {}): Promise<WireStep> {
    const { mode, contextWindow, canDefer } = this.options;
    const surface = await this.toolbox.surface({
      ...request,
      naming: this.#naming,
      ...(mode !== undefined && { mode }),
      ...(contextWindow !== undefined && { contextWindow }),
      ...(canDefer !== undefined && { canDefer }),
    });
    return { mode: surface.mode, tools: this.#fitting(surface), prompt: promptText(surface) };
  }

  /** Calls a tool or meta tool by the name the model uses. Never throws for a model's fault. */
  async call(name: string, input: unknown, options: Omit<CallOptions, 'naming'> = {}): Promise<ToolResult> {
    if (!this.#meant.has(name) && name.includes('_')) await this.#learnNames();
    return this.toolbox.call(this.#naming.meant(name), input, { ...options, naming: this.#naming });
  }

  #fitting(surface: Surface): readonly WireTool[] {
    const meta = surface.meta.map((tool) => ({ ...tool, isDeferred: false }));
    const tools = surface.tools.map(({ definition, description }) => ({
      name: this.#wireNameOf(definition.name),
      description,
      inputSchema: definition.inputSchema,
      isDeferred: surface.mode === 'native' && definition.loading === 'deferred',
      definition,
    }));
    // Adapters decide in one place what a provider would refuse; see `provider-limits.ts`.
    return [...meta, ...tools.slice(0, Math.max(0, this.limits.tools - meta.length))];
  }

  #wireNameOf(canonical: string): string {
    const wire = wireName(canonical, this.limits.nameChars);
    this.#meant.set(wire, canonical);
    return wire;
  }

  // A conversation may go on where another process had left it: the model knows names that were never shown here.
  async #learnNames(): Promise<void> {
    for (const { name } of await this.toolbox.visible()) this.#wireNameOf(name);
  }
}

function promptText({ prompt: { guidance, directory, hints } }: Surface): string {
  return [guidance, directory, hints].filter((part) => part !== undefined).join('\n\n');
}
