import type { AgentMiddleware } from 'langchain';
import { type AIMessage, type BaseMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { isObject } from '@tool-search/core/internal';
import type { AdapterOptions, AgentToolbox } from './wire/agent-toolbox.js';
import { ToolboxTool } from './langchain/langchain-tool.js';
import { ANY_PROVIDER_LIMITS } from './wire/provider-limits.js';
import { WireToolbox } from './wire/wire-toolbox.js';

/** Options of {@link langchain}. */
type LangChainOptions = AdapterOptions;

/** Tools and messages for one step of your own loop. */
export interface LangChainStep {
  /** For `model.bindTools(tools)`. */
  readonly tools: ToolboxTool[];
  /** For `model.invoke(messages)`: the given messages with the prompt parts. Valid for this step only. */
  readonly messages: BaseMessage[];
}

/** A toolbox for LangChain.js; belongs to one toolbox, so to one request. */
export interface LangChainToolbox {
  /**
   * For `createAgent({ model, tools, middleware: [middleware] })`: every request to the model lists the toolbox's
   * current tools after the agent's own tools, and every call of a tool that is not the agent's own goes through the
   * toolbox. Place it after middleware that adds tools to a run.
   */
  readonly middleware: AgentMiddleware;
  /**
   * The current tools, for loops of your own.
   *
   * @param messages the conversation so far, for hints and receipts
   * @param own names of your own tools in the same request: they count towards the limit, and no other tool gets such a
   *   name
   */
  tools(messages?: readonly BaseMessage[], own?: readonly string[]): Promise<ToolboxTool[]>;
  /** {@link tools} and the messages with the prompt parts, for loops of your own. */
  step(messages: readonly BaseMessage[], own?: readonly string[]): Promise<LangChainStep>;
  /** Answers all calls of a message, in their order; the calls run in parallel. Tools need not be listed. */
  answer(message: AIMessage, options?: { readonly signal?: AbortSignal }): Promise<ToolMessage[]>;
}

/**
 * A toolbox for LangChain.js: `createAgent({ model, middleware: [langchain(toolbox).middleware] })`. A tool found in
 * one step can be called in the next, and one that is switched off during a run is gone from the next step.
 *
 * LangChain has no deferral that works for every provider, so `native` is shown as `deferred`.
 */
export function langchain(toolbox: AgentToolbox, options: LangChainOptions = {}): LangChainToolbox {
  const wire = new WireToolbox(toolbox, ANY_PROVIDER_LIMITS, options);
  const at = options.prompt ?? 'system';

  const shown = async (messages: readonly BaseMessage[], own: readonly string[]) => {
    const newTexts = { text: messagesText(messages), toolResults: toolMessageTexts(messages) };
    const { tools, prompt } = await wire.step({ ...newTexts, own });
    return { tools: tools.map((tool) => new ToolboxTool(wire, tool)), prompt };
  };

  const middleware: AgentMiddleware = {
    name: 'tool-search',
    wrapModelCall: async (request, handler) => {
      const { tools, prompt } = await shown(request.messages, request.tools.map(nameOf));
      const isEmpty = prompt === '';
      return handler({
        ...request,
        tools: [...request.tools, ...tools],
        ...(at === 'system' && !isEmpty && { systemMessage: withPrompt(request.systemMessage, prompt) }),
        ...(at === 'end' && !isEmpty && { messages: [...request.messages, new HumanMessage(prompt)] }),
      });
    },
    wrapToolCall: async (request, handler) => {
      if (request.tool !== undefined) return handler(request);
      return handler({ ...request, tool: ToolboxTool.named(wire, request.toolCall.name) });
    },
  };

  const step: LangChainToolbox['step'] = async (messages, own = []) => {
    const { tools, prompt } = await shown(messages, own);
    return { tools, messages: promptedMessages(messages, prompt, at) };
  };

  return {
    middleware,
    step,
    tools: async (messages = [], own = []) => (await shown(messages, own)).tools,
    answer: ({ tool_calls: calls = [] }, { signal } = {}) =>
      Promise.all(calls.map((call) => ToolboxTool.named(wire, call.name).answer(call, { ...(signal && { signal }) }))),
  };
}

/** A tool's name in any of its forms. Tools that run at the provider have none; their type counts as the name. */
function nameOf(tool: object): string {
  const { name, function: inner, type } = tool as Record<string, unknown>;
  const known = [name, isObject(inner) ? inner['name'] : undefined, type].find((each) => typeof each === 'string');
  return String(known ?? '');
}

function promptedMessages(
  messages: readonly BaseMessage[],
  prompt: string,
  at: NonNullable<AdapterOptions['prompt']>,
): BaseMessage[] {
  if (prompt === '' || at === 'none') return [...messages];
  if (at === 'end') return [...messages, new HumanMessage(prompt)];
  const [first, ...others] = messages;
  if (first && SystemMessage.isInstance(first)) return [withPrompt(first, prompt), ...others];
  return [new SystemMessage(prompt), ...messages];
}

function withPrompt(system: SystemMessage, prompt: string): SystemMessage {
  return system.text === '' ? new SystemMessage(prompt) : system.concat(`\n\n${prompt}`);
}

function messagesText(messages: readonly BaseMessage[]): string {
  return messages.findLast((message) => HumanMessage.isInstance(message))?.text ?? '';
}

function toolMessageTexts(messages: readonly BaseMessage[]): readonly string[] {
  return messages.filter((message) => ToolMessage.isInstance(message)).map(({ text }) => text);
}
