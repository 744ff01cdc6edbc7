import type {
  CacheControlEphemeral,
  Message,
  TextBlockParam,
  Tool,
  ToolUnion,
  ToolUseBlock,
} from '@anthropic-ai/sdk/resources/messages';
import type { ToolResult } from '@tool-search/core';
import type { AdapterOptions, AgentToolbox } from './wire/agent-toolbox.js';
import { MentionedTools } from './wire/mentioned-tools.js';
import {
  anthropicResult,
  newestUserText,
  referencedNames,
  toolResultTexts,
  withoutStaleReferences,
  withTextAtEnd,
} from './anthropic/anthropic-messages.js';
import {
  type AnthropicAnswer,
  type AnthropicClient,
  type AnthropicConversation,
  type AnthropicRequest,
  type AnthropicRun,
  type AnthropicRunParams,
  type AnthropicSteps,
  runAnthropic,
} from './anthropic/anthropic-run.js';
import { answersProgram, isFromProgram, type ProgramCallOptions, ProgramCalls } from './anthropic/program-calls.js';
import { programCallRefused } from './wire/program-rule.js';
import { checkOwnNames, metaNamesOf, WireNames } from './wire/wire-names.js';
import { ANTHROPIC_LIMITS } from './wire/provider-limits.js';
import { deferredNames } from './wire/tool-references.js';
import { type WireStep, type WireTool, WireToolbox } from './wire/wire-toolbox.js';

export { anthropicBeta } from './anthropic/anthropic-beta-toolbox.js';
export type { AnthropicBetaToolbox } from './anthropic/anthropic-beta-toolbox.js';
export type { AnthropicBetaRequest, AnthropicBetaRun } from './anthropic/anthropic-beta.js';
export type { AnthropicRequest, AnthropicRun } from './anthropic/anthropic-run.js';

/** How a toolbox is shown to Claude. */
interface AnthropicOptions extends AdapterOptions {
  /** Tools that Anthropic runs, for example web search; listed first. Add your own to the catalog. @default none */
  readonly tools?: readonly ToolUnion[];
  /** Whether the model and its host support `defer_loading`; else `native` is shown as `deferred`. @default true */
  readonly canDefer?: boolean;
  /**
   * Sets prompt cache breakpoints at the last tool that never changes and at the end of your own system prompt: two of
   * the four that a request may have.
   * @default none
   */
  readonly cacheControl?: CacheControlEphemeral;
  /**
   * Lets code that Claude writes call tools (`allowed_callers`): those that only read, and those that you name. Needs a
   * code execution tool in `tools`. Results of such calls reach Claude's code in Anthropic's container.
   * @default off: only the model itself calls tools
   */
  readonly programCalls?: ProgramCallOptions;
}

/**
 * A toolbox for the Anthropic API. `await anthropic(toolbox).run(client, { model, max_tokens, messages })` runs a whole
 * conversation; a loop of your own calls `request` before and `answer` after each step. Belongs to one toolbox, so to
 * one request.
 *
 * In `native` the toolbox executes the search, under its gate. The search answers with `tool_reference` blocks, and
 * only found tools are declared, with `defer_loading`: the prompt cache stays valid, and no other tool leaves the
 * process.
 *
 * @throws ToolSearchError `INVALID_CONFIGURATION` when one of `options.tools` is named like a meta tool, and for
 * `programCalls` without a code execution tool
 */
export function anthropic(toolbox: AgentToolbox, options: AnthropicOptions = {}): AnthropicToolbox {
  return new AnthropicToolbox(toolbox, options);
}

/** The result of {@link anthropic}. */
export class AnthropicToolbox implements AnthropicSteps {
  readonly #answered: MentionedTools;
  readonly #wire: WireToolbox;
  readonly #taken: ReadonlySet<string>;
  readonly #programs: ProgramCalls | undefined;

  constructor(
    toolbox: AgentToolbox,
    private readonly options: AnthropicOptions,
  ) {
    const { canDefer = true, tools = [], programCalls } = options;
    this.#programs = programCalls && new ProgramCalls(programCalls, tools);
    this.#answered = new MentionedTools(toolbox);
    this.#taken = new Set(tools.flatMap((tool) => ('name' in tool ? [tool.name] : [])));
    checkOwnNames(this.#taken, metaNamesOf(toolbox));
    const names = new WireNames(ANTHROPIC_LIMITS.nameChars, this.#taken);
    this.#wire = new WireToolbox(this.#answered.toolbox, ANTHROPIC_LIMITS, {
      ...options,
      canDefer,
      names,
    });
  }

  /** Builds the next request of a conversation. Call it before every step, because withdrawn tools must be gone. */
  async request({ messages, system }: AnthropicConversation): Promise<AnthropicRequest> {
    const own = [...this.#taken];
    const step = await this.#wire.step({ text: newestUserText(messages), toolResults: toolResultTexts(messages), own });
    const deferred = deferredNames(step, referencedNames(messages));
    const listed = new Set(step.tools.map(({ name }) => name));
    const tools = [...(this.options.tools ?? []), ...this.#declared(step, deferred)];
    const { prompt = 'system' } = this.options;
    const systemPrompt = this.#system(system, prompt === 'system' ? step.prompt : '');
    const currentMessages = withoutStaleReferences(messages, deferred, listed);
    return {
      ...(tools.length > 0 && { tools }),
      ...(systemPrompt !== undefined && { system: systemPrompt }),
      messages:
        prompt === 'end' && !answersProgram(currentMessages)
          ? withTextAtEnd(currentMessages, step.prompt)
          : currentMessages,
    };
  }

  /**
   * Runs all tool calls of a reply in parallel. Returns the user message with their results, in the order of the calls;
   * refusals are results marked as errors. For a reply without calls the content is empty, and the message must not be
   * sent.
   */
  async answer(
    message: Pick<Message, 'content'>,
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<AnthropicAnswer> {
    const calls = message.content.filter((block) => block.type === 'tool_use');
    const callable = await this.#callable(calls.filter(isFromProgram));
    const results = await Promise.all(
      calls.map(async (call) => {
        const { id, name, input } = call;
        if (isFromProgram(call) && !callable.has(name)) return programCallRefused();
        return this.#wire.call(name, input, { ...options, callId: id });
      }),
    );
    const references = await this.#references(results);
    return {
      role: 'user',
      content: calls.map(({ id }: ToolUseBlock, index) => {
        const result = results[index] as ToolResult;
        return anthropicResult(id, result, references.get(result));
      }),
    };
  }

  /**
   * Runs a conversation until the model answers without calling a tool.
   *
   * @throws the client's errors, and the signal's reason when the run is aborted
   */
  run(client: AnthropicClient, params: AnthropicRunParams): Promise<AnthropicRun> {
    return runAnthropic(this, client, params);
  }

  // Asked again for the calls, because the decisions may have changed since the request.
  async #callable(calls: readonly ToolUseBlock[]): Promise<ReadonlySet<string>> {
    if (!this.#programs || calls.length === 0) return new Set();
    return this.#programs.namesOf(await this.#wire.visible(calls.map(({ name }) => name)));
  }

  // Tools named in an answer may be listed by now: in `native` the provider must show exactly those.
  async #references(results: readonly ToolResult[]): Promise<ReadonlyMap<ToolResult, ReadonlySet<string>>> {
    const named = results.map((result) => [result, this.#answered.namedIn(result)] as const);
    if (named.every(([, names]) => names.size === 0)) return new Map();
    const step = await this.#wire.step();
    return new Map(named.map(([result, names]) => [result, deferredNames(step, names)]));
  }

  #declared(step: WireStep, deferred: ReadonlySet<string>): Tool[] {
    const { cacheControl } = this.options;
    const lastFixed = cacheControl ? step.tools.findLastIndex((tool) => isFixed(tool, step)) : -1;
    return step.tools.map(({ name, description, inputSchema, definition }, index) => ({
      name,
      description,
      input_schema: inputSchema as Tool.InputSchema,
      ...this.#programs?.callersOf(definition),
      ...(deferred.has(name) && { defer_loading: true }),
      ...(index === lastFixed && { cache_control: cacheControl }),
    }));
  }

  #system(own: AnthropicConversation['system'], prompt: string): string | TextBlockParam[] | undefined {
    const { cacheControl } = this.options;
    const added: TextBlockParam[] = prompt === '' ? [] : [{ type: 'text', text: prompt }];
    if (own === undefined || own.length === 0) return prompt === '' ? undefined : prompt;
    if (typeof own === 'string' && !cacheControl) return [own, ...added.map(({ text }) => text)].join('\n\n');
    const blocks: readonly TextBlockParam[] = typeof own === 'string' ? [{ type: 'text', text: own }] : own;
    const marked = blocks.map((block, index) =>
      cacheControl && index === blocks.length - 1 ? { cache_control: cacheControl, ...block } : block,
    );
    return [...marked, ...added];
  }
}

function isFixed({ definition }: WireTool, { mode }: WireStep): boolean {
  return mode === 'all' || definition === undefined || definition.loading === 'always';
}
