import type {
  BetaCacheControlEphemeral,
  BetaMessage,
  BetaMessageParam,
  BetaTextBlockParam,
  BetaTool,
  BetaToolResultBlockParam,
  BetaToolUnion,
} from '@anthropic-ai/sdk/resources/beta/messages';
import type { MessageParam } from '@anthropic-ai/sdk/resources/messages';
import type { ToolResult } from '@tool-search/core';
import { contentText } from '@tool-search/core/adapter';
import type { AdapterOptions, AgentToolbox } from '../wire/agent-toolbox.js';
import { MentionedTools } from '../wire/mentioned-tools.js';
import { ANTHROPIC_LIMITS } from '../wire/provider-limits.js';
import { besideJson, deferredNames, residualContent } from '../wire/tool-references.js';
import { checkOwnNames, metaNamesOf, WireNames } from '../wire/wire-names.js';
import { type WireTool, WireToolbox } from '../wire/wire-toolbox.js';
import {
  type AnthropicBetaAnswer,
  type AnthropicBetaClient,
  type AnthropicBetaConversation,
  type AnthropicBetaRequest,
  type AnthropicBetaRun,
  type AnthropicBetaRunParams,
  type AnthropicBetaSteps,
  runAnthropicBeta,
} from './anthropic-beta.js';
import { anthropicResult, newestUserText, toolResultTexts, withoutStaleReferences } from './anthropic-messages.js';
import { DeclaredTools, withToolChanges } from './declared-tools.js';

const OFFER_TOKENS = 400;
const TOOL_CHANGES = ['mid-conversation-tool-changes-2026-07-01', 'inline-tools-2026-09-15'] as const;

/** How a toolbox is shown to Claude with tool changes. */
export interface AnthropicBetaOptions extends Omit<AdapterOptions, 'prompt'> {
  /** Tools that Anthropic runs, for example web search; listed first. Add your own to the catalog. @default none */
  readonly tools?: readonly BetaToolUnion[];
  /** Place of guidance, directory and hints: in the system prompt, or nowhere. @default 'system' */
  readonly prompt?: 'system' | 'none';
  /**
   * Tokens of definitions that one search may add, at most the application's `search.offerTokens`. Less than there,
   * because a definition stays in the conversation for good; the other hits are described. @default 400
   */
  readonly offerTokens?: number;
  /** Sets a prompt cache breakpoint at the last tool of `tools`, which never changes. @default none */
  readonly cacheControl?: BetaCacheControlEphemeral;
}

/**
 * A toolbox for the beta API of Anthropic, with changes of tools inside the conversation: `tools` and all earlier
 * messages stay the same bytes, so the prompt cache keeps everything, whatever is found, activated or switched off. A
 * tool comes with a `tool_addition` block at the end of the conversation and goes with a `tool_removal` block. Best
 * with the mode `native`, in which a search answers with names alone, because the definitions follow.
 *
 * `await anthropicBeta(toolbox).run(client, { model, max_tokens, messages })` runs a whole conversation; a loop of your
 * own calls `request` before and `answer` after each step. Belongs to one toolbox, so to one request.
 *
 * @throws ToolSearchError `INVALID_CONFIGURATION` when one of `options.tools` is named like a meta tool
 */
export function anthropicBeta(toolbox: AgentToolbox, options: AnthropicBetaOptions = {}): AnthropicBetaToolbox {
  return new AnthropicBetaToolbox(toolbox, options);
}

/** The result of {@link anthropicBeta}. */
export class AnthropicBetaToolbox implements AnthropicBetaSteps {
  readonly #answered: MentionedTools;
  readonly #wire: WireToolbox;
  readonly #own: readonly BetaToolUnion[];
  readonly #ownNames: ReadonlySet<string>;
  #tools: readonly BetaToolUnion[] | undefined;

  constructor(
    toolbox: AgentToolbox,
    private readonly options: AnthropicBetaOptions,
  ) {
    this.#answered = new MentionedTools(toolbox);
    this.#own = options.tools ?? [];
    this.#ownNames = new Set(this.#own.flatMap((tool) => ('name' in tool ? [tool.name] : [])));
    checkOwnNames(this.#ownNames, metaNamesOf(toolbox));
    const names = new WireNames(ANTHROPIC_LIMITS.nameChars, this.#ownNames);
    this.#wire = new WireToolbox(this.#answered.toolbox, ANTHROPIC_LIMITS, { ...options, canDefer: true, names });
  }

  /**
   * Builds the next request of a conversation. Call it before every step, because withdrawn tools must be gone, and keep
   * `messages` of the result as your conversation.
   */
  async request({ messages, system, tools: declaredTools }: AnthropicBetaConversation): Promise<AnthropicBetaRequest> {
    const plain = plainMessages(messages);
    const step = await this.#wire.step({
      text: newestUserText(plain),
      toolResults: toolResultTexts(plain),
      own: [...this.#ownNames],
    });
    const wanted = step.tools.map(declaredTool);
    this.#tools ??= declaredTools ?? [...this.#own, ...this.#marked(wanted)];
    const conversation = new DeclaredTools(this.#tools.filter((tool) => !this.#own.includes(tool)));
    const read = conversation.read(withoutReferences(messages, new Set(wanted.map(({ name }) => name))));
    const prompt = this.options.prompt === 'none' ? '' : step.prompt;
    const systemPrompt = systemOf(system, prompt);
    return {
      tools: [...this.#tools],
      ...(systemPrompt !== undefined && { system: systemPrompt }),
      messages: withToolChanges(read, conversation.changesTo(wanted)),
      betas: [...TOOL_CHANGES],
    };
  }

  /**
   * Runs all tool calls of a reply in parallel. Returns the user message with their results, in the order of the calls;
   * refusals are results marked as errors. For a reply without calls the content is empty, and the message must not be
   * sent.
   */
  async answer(
    message: Pick<BetaMessage, 'content'>,
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<AnthropicBetaAnswer> {
    const { offerTokens = OFFER_TOKENS } = this.options;
    const calls = message.content.filter((block) => block.type === 'tool_use');
    const results = await Promise.all(
      calls.map(({ id, name, input }) => this.#wire.call(name, input, { ...options, offerTokens, callId: id })),
    );
    const coming = await this.#coming(results);
    const content = calls.map(({ id }, index): BetaToolResultBlockParam => {
      const result = results[index] as ToolResult;
      const names = coming.get(result);
      return names ? namesOf(id, result, names) : (anthropicResult(id, result) as BetaToolResultBlockParam);
    });
    return { role: 'user', content };
  }

  /**
   * Runs a conversation until the model answers without calling a tool.
   *
   * @throws the client's errors, and the signal's reason when the run is aborted
   */
  run(client: AnthropicBetaClient, params: AnthropicBetaRunParams): Promise<AnthropicBetaRun> {
    return runAnthropicBeta(this, client, params);
  }

  // Definitions that the next request adds, or has added already, need not be repeated in the answer of a search.
  async #coming(results: readonly ToolResult[]): Promise<ReadonlyMap<ToolResult, ReadonlySet<string>>> {
    const named = results.map((result) => [result, this.#answered.namedIn(result)] as const);
    if (named.every(([, names]) => names.size === 0)) return new Map();
    const step = await this.#wire.step();
    return new Map(
      named.map(([result, names]) => [result, deferredNames(step, names)] as const).filter(([, { size }]) => size > 0),
    );
  }

  #marked(tools: readonly BetaTool[]): BetaTool[] {
    const { cacheControl } = this.options;
    return tools.map((tool, index) =>
      cacheControl && index === tools.length - 1 ? { ...tool, cache_control: cacheControl } : tool,
    );
  }
}

function declaredTool({ name, description, inputSchema }: WireTool): BetaTool {
  // It tells a model nothing.
  const schema = Object.entries(inputSchema).filter(([keyword]) => keyword !== '$schema');
  return { name, description, input_schema: Object.fromEntries(schema) as unknown as BetaTool.InputSchema };
}

function namesOf(id: string, result: ToolResult, names: ReadonlySet<string>): BetaToolResultBlockParam {
  const listed = `You can call ${[...names].join(', ')}: see the definitions.`;
  const beside = result.ok ? [contentText(besideJson(result)), result.receipt] : [];
  const texts = [listed, residualContent(result, names), ...beside];
  const content = texts.filter((text) => text !== undefined && text.trim() !== '').join('\n');
  return { type: 'tool_result', tool_use_id: id, content };
}

// Messages of users and of the model have the same form in both APIs, as far as texts and results are concerned.
function plainMessages(messages: readonly BetaMessageParam[]): readonly MessageParam[] {
  return messages.filter(({ role }) => role !== 'system') as readonly MessageParam[];
}

// A conversation that began without tool changes may refer to tools that `tools` does not declare.
function withoutReferences(messages: readonly BetaMessageParam[], listed: ReadonlySet<string>): BetaMessageParam[] {
  return messages.map((message) =>
    message.role === 'user'
      ? (withoutStaleReferences([message as MessageParam], new Set(), listed)[0] as BetaMessageParam)
      : message,
  );
}

function systemOf(own: AnthropicBetaConversation['system'], prompt: string): string | BetaTextBlockParam[] | undefined {
  if (own === undefined || own.length === 0) return prompt === '' ? undefined : prompt;
  if (typeof own === 'string') return prompt === '' ? own : `${own}\n\n${prompt}`;
  return [...own, ...(prompt === '' ? [] : [{ type: 'text' as const, text: prompt }])];
}
