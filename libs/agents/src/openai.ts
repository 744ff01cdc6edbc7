import { resultText } from '@tool-search/core/adapter';
import type { OpenAI } from 'openai';
import type { AdapterOptions, AgentToolbox } from './wire/agent-toolbox.js';
import { parsedArguments, textOrigin } from './wire/call-arguments.js';
import { checkedMaxSteps } from './wire/max-steps.js';
import { OPENAI_LIMITS } from './wire/provider-limits.js';
import { type WireTool, WireToolbox } from './wire/wire-toolbox.js';

type Message = OpenAI.Chat.ChatCompletionMessageParam;
type ToolMessage = OpenAI.Chat.ChatCompletionToolMessageParam;
type Tool = OpenAI.Chat.ChatCompletionTool;
type ToolCall = OpenAI.Chat.ChatCompletionMessageToolCall;
type Params = OpenAI.Chat.ChatCompletionCreateParamsNonStreaming;

/** Runs one of the caller's own tools. The result is sent as text, or as JSON; an error ends the run. */
type OwnFunction = (input: unknown, call: { readonly id: string; readonly signal?: AbortSignal }) => unknown;

/** The caller's own tools, and how the toolbox is shown to chat completions. */
interface OpenAiOptions extends AdapterOptions {
  /**
   * The caller's own tools: listed before the toolbox's, and never called through it. A toolbox tool with the same name
   * gets the next free one.
   * @default none
   */
  readonly tools?: readonly Tool[];
  /** Functions that run the caller's own tools, by name; calls of the others are left to the caller. @default none */
  readonly functions?: Readonly<Record<string, OwnFunction>>;
}

/** The part of the SDK's client that a run needs. */
interface ChatClient {
  readonly chat: {
    readonly completions: {
      create(params: Params, options?: { readonly signal?: AbortSignal }): PromiseLike<OpenAI.Chat.ChatCompletion>;
    };
  };
}

/** Options of one run. */
interface ChatRunOptions {
  /** Maximum number of requests to the model. @default 20 */
  readonly maxSteps?: number;
  readonly signal?: AbortSignal;
}

/** The outcome of a run. */
export interface ChatRun {
  /** Text of the model's last message; `''` where it has none. */
  readonly text: string;
  /** The model answered, it called tools that the caller has to run, or the maximum number of steps was reached. */
  readonly stopped: 'answer' | 'pending' | 'max_steps';
  /** Calls that the caller has to answer, each with one tool message, before the conversation continues. */
  readonly pending: readonly ToolCall[];
  /** The whole conversation, ready to be continued; without the prompt parts, which are computed at every step. */
  readonly messages: readonly Message[];
  readonly completion: OpenAI.Chat.ChatCompletion;
}

/** A toolbox for chat completions. */
export interface OpenAiToolbox {
  /**
   * Fields to spread into `client.chat.completions.create`: the current tools, and the messages with the prompt parts.
   * Call it before every request.
   *
   * @throws ToolSearchError `INVALID_CONFIGURATION` when one of the caller's own tools is named like a meta tool
   */
  request(messages: readonly Message[]): Promise<{ readonly tools?: Tool[]; readonly messages: Message[] }>;
  /** Runs the calls of a message in parallel. Returns the messages to send back, in the order of the calls. */
  answer(
    message: Pick<OpenAI.Chat.ChatCompletionMessage, 'tool_calls'>,
    options?: Pick<ChatRunOptions, 'signal'>,
  ): Promise<ToolMessage[]>;
  /** Calls that {@link OpenAiToolbox.answer} leaves to the caller: own tools without a function, custom tools. */
  pending(message: Pick<OpenAI.Chat.ChatCompletionMessage, 'tool_calls'>): ToolCall[];
  /**
   * Runs the loop until the model answers. Tools in `params` are the caller's own, in addition to those of the options.
   *
   * @throws the errors of the client and of own functions, and the signal's reason
   */
  run(client: ChatClient, params: Params, options?: ChatRunOptions): Promise<ChatRun>;
}

/**
 * A toolbox for OpenAI's chat completions and compatible servers: `const { text } = await openai(toolbox).run(client,
 * { model, messages })`. Belongs to one toolbox, so to one request.
 */
export function openai(toolbox: AgentToolbox, options: OpenAiOptions = {}): OpenAiToolbox {
  const { tools: own = [], functions = {} } = options;
  const ownNames = new Set([...own.map(nameOf), ...Object.keys(functions)]);
  const wire = new WireToolbox(toolbox, OPENAI_LIMITS, { ...options, taken: ownNames });

  // All other names go through the toolbox, which refuses nonexistent and hidden tools in the same way.
  const isPending = (call: ToolCall) =>
    call.type !== 'function' || (ownNames.has(call.function.name) && !Object.hasOwn(functions, call.function.name));

  const answerOf = async (call: ToolCall, signal: AbortSignal | undefined): Promise<string> => {
    if (call.type !== 'function') throw new Error('custom tools are left to the caller');
    const { name, arguments: text } = call.function;
    const given = parsedArguments(text);
    if ('refused' in given) return resultText(given.refused);
    const { input } = given;
    const aborting = signal && { signal };
    if (!ownNames.has(name)) {
      return resultText(await wire.call(name, input, { callId: call.id, ...textOrigin(text), ...aborting }));
    }
    const answer = await functions[name]?.(input, { id: call.id, ...aborting });
    return typeof answer === 'string' ? answer : (JSON.stringify(answer) ?? 'done');
  };

  const request: OpenAiToolbox['request'] = async (messages) => {
    const step = await wire.step({
      text: textOfUser(messages),
      toolResults: messages.flatMap((message) => (message.role === 'tool' ? textOf(message.content) : [])),
      own: own.map(nameOf),
    });
    const tools = [...own, ...step.tools.map(functionTool)];
    // The API refuses an empty list.
    return { ...(tools.length > 0 && { tools }), messages: withPrompt(messages, step.prompt, options.prompt) };
  };

  const pending: OpenAiToolbox['pending'] = ({ tool_calls: calls }) => (calls ?? []).filter(isPending);

  const answer: OpenAiToolbox['answer'] = ({ tool_calls: calls }, { signal } = {}) =>
    Promise.all(
      (calls ?? [])
        .filter((call) => !isPending(call))
        .map(async (call) => ({
          role: 'tool' as const,
          tool_call_id: call.id,
          content: await answerOf(call, signal),
        })),
    );

  const run: OpenAiToolbox['run'] = async (client, { tools = [], ...params }, limits = {}) => {
    if (tools.length > 0) return openai(toolbox, { ...options, tools: [...own, ...tools] }).run(client, params, limits);
    const maxSteps = checkedMaxSteps(limits.maxSteps);
    const { signal } = limits;
    const messages = [...params.messages];
    for (let step = 1; ; step++) {
      signal?.throwIfAborted();
      const body = { ...params, ...(await request(messages)) };
      const completion = await client.chat.completions.create(body, signal && { signal });
      const message = completion.choices[0]?.message;
      if (!message) throw new Error('the completion has no choices');
      messages.push(message);
      const ended = { text: message.content ?? '', messages, completion };
      if (!message.tool_calls?.length) return { ...ended, stopped: 'answer', pending: [] };
      messages.push(...(await answer(message, limits)));
      const left = pending(message);
      if (left.length > 0) return { ...ended, stopped: 'pending', pending: left };
      if (step >= maxSteps) return { ...ended, stopped: 'max_steps', pending: left };
    }
  };

  return { request, answer, pending, run };
}

function nameOf(tool: Tool): string {
  return tool.type === 'custom' ? tool.custom.name : tool.function.name;
}

function functionTool({ name, description, inputSchema }: WireTool): Tool {
  return { type: 'function', function: { name, description, parameters: inputSchema } };
}

/** Adds the prompt parts as a separate message: after the leading instructions, or at the end. */
function withPrompt(messages: readonly Message[], text: string, place: AdapterOptions['prompt'] = 'system'): Message[] {
  if (text === '' || place === 'none') return [...messages];
  const leading = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer');
  const head = leading < 0 ? messages.length : leading;
  const role = messages.slice(0, head).at(-1)?.role === 'developer' ? 'developer' : 'system';
  const prompt: Message = { role, content: text };
  return place === 'end' ? [...messages, prompt] : messages.toSpliced(head, 0, prompt);
}

function textOfUser(messages: readonly Message[]): string {
  const message = messages.findLast(({ role }) => role === 'user');
  return message?.role === 'user' ? textOf(message.content) : '';
}

function textOf(content: string | readonly { readonly type: string; readonly text?: string }[]): string {
  return typeof content === 'string' ? content : content.map(({ text }) => text ?? '').join(' ');
}
