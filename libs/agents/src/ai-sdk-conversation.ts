import type { ToolResult } from '@tool-search/core';
import type { LanguageModel, ModelMessage } from 'ai';
import type { AdapterOptions, AgentToolbox } from './agent-toolbox.js';
import { type AiSdkProvider, limitsOf, providerOf } from './ai-sdk-provider.js';
import { AnsweredTools } from './answered-tools.js';
import { deferredNames } from './deferred-names.js';
import { type ModelOutput, modelOutput } from './model-output.js';
import { toolResultTexts } from './model-references.js';
import type { ToolCaller } from './tool-registry.js';
import type { WireNames } from './wire-names.js';
import { type WireStep, WireToolbox } from './wire-toolbox.js';

/** A toolbox in the terms of whichever provider's model makes the step. */
export class AiSdkConversation implements ToolCaller {
  readonly #answered: AnsweredTools;
  readonly #wires = new Map<AiSdkProvider, WireToolbox>();
  /** Results whose names may become references, by the id of their call. */
  readonly #found = new Map<string, ReadonlySet<string>>();
  #provider: AiSdkProvider = 'other';

  constructor(
    toolbox: AgentToolbox,
    private readonly options: AdapterOptions & { readonly provider?: AiSdkProvider },
    private readonly names: WireNames,
  ) {
    this.#answered = new AnsweredTools(toolbox);
  }

  /**
   * @param text the user's newest words
   * @param own names of the caller's own tools in this step
   */
  async step(
    model: LanguageModel,
    messages: readonly ModelMessage[],
    text: string,
    own: readonly string[],
  ): Promise<WireStep> {
    this.#provider = this.options.provider ?? providerOf(model);
    return this.#wire().step({ text, toolResults: toolResultTexts(messages), own });
  }

  async call(name: string, input: unknown, options: { callId: string; signal?: AbortSignal }): Promise<ToolResult> {
    const result = await this.#wire().call(name, input, options);
    const found = this.#answered.namedIn(result);
    if (found.size > 0) this.#found.set(options.callId, found);
    return result;
  }

  async toModelOutput({ toolCallId, output }: { toolCallId: string; output: ToolResult }): Promise<ModelOutput> {
    const found = this.#found.get(toolCallId);
    if (!found) return modelOutput(output);
    return modelOutput(output, deferredNames(await this.#wire().step(), found));
  }

  #wire(): WireToolbox {
    const provider = this.#provider;
    let wire = this.#wires.get(provider);
    if (!wire) {
      const { mode, contextWindow, onLeftOut, limits } = this.options;
      wire = new WireToolbox(this.#answered.toolbox, limitsOf(provider), {
        ...(mode !== undefined && { mode }),
        ...(contextWindow !== undefined && { contextWindow }),
        ...(onLeftOut && { onLeftOut }),
        ...(limits && { limits }),
        canDefer: provider === 'anthropic',
        names: this.names,
      });
      this.#wires.set(provider, wire);
    }
    return wire;
  }
}
