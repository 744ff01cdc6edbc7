import type { ToolResult } from '@tool-search/core';
import type { LanguageModel, ModelMessage } from 'ai';
import { withAdditionalTools } from './additional-tools.js';
import type { AdapterOptions, AgentToolbox } from '../wire/agent-toolbox.js';
import { type AiSdkProvider, limitsOf, providerOf } from './ai-sdk-provider.js';
import { MentionedTools } from '../wire/mentioned-tools.js';
import { deferredNames } from '../wire/tool-references.js';
import type { Deferral, ToolCaller } from './tool-registry.js';
import { type ModelOutput, modelOutput } from './model-output.js';
import { referencedNames, toolResultTexts } from './model-references.js';
import type { CallFromProgram } from './program-run.js';
import type { WireNames } from '../wire/wire-names.js';
import { type WireStep, WireToolbox } from '../wire/wire-toolbox.js';

const NONE: ReadonlySet<string> = new Set();

/** A toolbox for the provider of each step's model. */
export class AiSdkConversation implements ToolCaller {
  readonly #answered: MentionedTools;
  readonly #wires = new Map<AiSdkProvider, WireToolbox>();
  /** Tool names in results that may become references, by the id of their call. */
  readonly #found = new Map<string, ReadonlySet<string>>();
  #provider: AiSdkProvider = 'other';
  #mode: WireStep['mode'] = 'deferred';

  constructor(
    toolbox: AgentToolbox,
    private readonly options: AdapterOptions & { readonly provider?: AiSdkProvider },
    private readonly names: WireNames,
  ) {
    this.#answered = new MentionedTools(toolbox);
  }

  /**
   * @param text the newest text of the user
   * @param own names of the caller's own tools in this step
   */
  async step(
    model: LanguageModel,
    messages: readonly ModelMessage[],
    text: string,
    own: readonly string[],
  ): Promise<WireStep> {
    this.#provider = this.options.provider ?? providerOf(model);
    const shown = await this.#wire().step({ text, toolResults: toolResultTexts(messages), own });
    this.#mode = shown.mode;
    return shown;
  }

  deferral(shown: WireStep, messages: ModelMessage[]): Deferral {
    if (this.#provider === 'openai-responses') {
      const { messages: rewritten, loaded } = withAdditionalTools(messages, shown.tools, this.#found);
      return {
        messages: rewritten,
        names: loaded,
        references: NONE,
        options: { openai: { omitFromRequestTools: true } },
      };
    }
    const names = deferredNames(shown, referencedNames(messages));
    const { messages: rewritten } = withAdditionalTools(messages, [], this.#found);
    return { messages: rewritten, names, references: names, options: { anthropic: { deferLoading: true } } };
  }

  async call(name: string, input: unknown, options: { callId: string; signal?: AbortSignal }): Promise<ToolResult> {
    const result = await this.#wire().call(name, input, options);
    const found = this.#answered.namedIn(result);
    if (found.size > 0) this.#found.set(options.callId, found);
    return result;
  }

  /** A call that a program makes; see {@link ProgramRun}. */
  readonly callFromProgram: CallFromProgram = (name, input, options) => this.#wire().call(name, input, options);

  async toModelOutput({ toolCallId, output }: { toolCallId: string; output: ToolResult }): Promise<ModelOutput> {
    const found = this.#found.get(toolCallId);
    // Only Anthropic shows tools by reference, and only deferred ones. `step()` is called only then, because each call
    // counts as a step.
    if (!found || this.#provider !== 'anthropic' || this.#mode !== 'native') return modelOutput(output);
    return modelOutput(output, deferredNames(await this.#wire().step(), found));
  }

  #wire(): WireToolbox {
    const provider = this.#provider;
    let wire = this.#wires.get(provider);
    if (!wire) {
      const options = { ...this.options, canDefer: provider !== 'other', names: this.names };
      wire = new WireToolbox(this.#answered.toolbox, limitsOf(provider), options);
      this.#wires.set(provider, wire);
    }
    return wire;
  }
}
