import type {
  ContainerParams,
  ContentBlock,
  Message,
  MessageCreateParamsNonStreaming,
  MessageParam,
  TextBlockParam,
  ToolResultBlockParam,
  ToolUnion,
  UserMessageParam,
} from '@anthropic-ai/sdk/resources/messages';

import { checkedMaxSteps } from '../wire/max-steps.js';
import { withoutOpenCode } from './program-calls.js';

/** The part of an Anthropic client that a run needs; the clients for Bedrock and Vertex have it too. */
export interface AnthropicClient {
  readonly messages: {
    create(params: MessageCreateParamsNonStreaming, options?: { signal?: AbortSignal | null }): PromiseLike<Message>;
  };
}

/** Input of a request. */
export interface AnthropicConversation {
  readonly messages: readonly MessageParam[];
  readonly system?: string | readonly TextBlockParam[] | undefined;
}

/** Fields to spread into `client.messages.create`, for this request only: keep your own conversation. */
export interface AnthropicRequest {
  /** Undefined when no tool is listed. */
  readonly tools?: ToolUnion[];
  readonly system?: string | TextBlockParam[];
  readonly messages: MessageParam[];
}

/** The user message with the results of a reply's calls. */
export type AnthropicAnswer = UserMessageParam & { content: ToolResultBlockParam[] };

export interface AnthropicSteps {
  request(conversation: AnthropicConversation): Promise<AnthropicRequest>;
  answer(message: Pick<Message, 'content'>, options?: { readonly signal?: AbortSignal }): Promise<AnthropicAnswer>;
}

/** Limits of a run. */
export interface AnthropicRunOptions {
  /** Maximum number of requests, at least 1. @default 20 */
  readonly maxSteps?: number;
  /** Aborts the run, with its request and running calls. */
  readonly signal?: AbortSignal;
}

/** The parameters of `client.messages.create` without those of the toolbox, and {@link AnthropicRunOptions}. */
export type AnthropicRunParams = Omit<MessageCreateParamsNonStreaming, 'tools' | 'stream' | 'messages'> &
  AnthropicRunOptions & { readonly messages: readonly MessageParam[] };

/** The outcome of a run. */
export interface AnthropicRun {
  /** The text of the last reply. */
  readonly text: string;
  /**
   * The last reply. Its `stop_reason` shows how the run ended: `end_turn` is a complete answer; with `tool_use` and
   * `pause_turn` no steps were left; with `max_tokens` the reply is cut off.
   */
  readonly message: Message;
  /**
   * The whole conversation, ready to be continued. Without calls of the last reply that were not made, and without code
   * that waited for the results of its calls when no steps were left.
   */
  readonly messages: readonly MessageParam[];
  /** Number of requests. */
  readonly steps: number;
}

/** Runs the loop. @throws the client's errors, and the signal's reason when the run is aborted */
export async function runAnthropic(
  toolbox: AnthropicSteps,
  client: AnthropicClient,
  { maxSteps, signal, messages: given, system, ...params }: AnthropicRunParams,
): Promise<AnthropicRun> {
  const most = checkedMaxSteps(maxSteps);
  const messages = [...given];
  const aborting = signal ? { signal } : {};
  let container: Pick<MessageCreateParamsNonStreaming, 'container'> = {};
  for (let steps = 1; ; steps++) {
    signal?.throwIfAborted();
    const request = await toolbox.request({ messages, system });
    const message = await client.messages.create({ ...params, ...container, ...request }, aborting);
    // Code that waits for the results of its calls goes on in the container in which it began.
    if (message.container) container = { container: sameContainer(params.container, message.container.id) };
    const isOver = steps >= most || !(message.stop_reason === 'tool_use' || message.stop_reason === 'pause_turn');
    if (isOver) {
      const whole = withoutOpenCode([...messages, ...replyOf(message.content)]);
      return { text: textOf(message.content), message, messages: withoutLastCalls(whole), steps };
    }
    messages.push(...replyOf(message.content));
    const answer = await toolbox.answer(message, aborting);
    // A paused turn continues without an answer.
    if (answer.content.length > 0) messages.push(answer);
  }
}

// Skills are named with each request.
function sameContainer(given: MessageCreateParamsNonStreaming['container'], id: string): ContainerParams | string {
  return typeof given === 'object' && given !== null ? { ...given, id } : id;
}

// Calls of the last reply that were not made.
function withoutLastCalls(messages: readonly MessageParam[]): readonly MessageParam[] {
  const last = messages.at(-1);
  if (last?.role !== 'assistant' || typeof last.content === 'string') return messages;
  const textBlocks = last.content.filter(({ type }) => type !== 'tool_use');
  return [...messages.slice(0, -1), ...(textBlocks.length > 0 ? [{ ...last, content: textBlocks }] : [])];
}

function replyOf(content: readonly ContentBlock[]): MessageParam[] {
  return content.length === 0 ? [] : [{ role: 'assistant', content: [...content] }];
}

function textOf(content: readonly ContentBlock[]): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
}
