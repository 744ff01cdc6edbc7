import type {
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

/** The part of an Anthropic client that a run needs; Bedrock's and Vertex's have it, too. */
export interface AnthropicClient {
  readonly messages: {
    create(params: MessageCreateParamsNonStreaming, options?: { signal?: AbortSignal | null }): PromiseLike<Message>;
  };
}

/** What a request is made from. */
export interface AnthropicConversation {
  readonly messages: readonly MessageParam[];
  readonly system?: string | readonly TextBlockParam[] | undefined;
}

/** Fields to spread into `client.messages.create`; for this request only, the conversation stays yours. */
export interface AnthropicRequest {
  /** Left out where nothing is listed. */
  readonly tools?: ToolUnion[];
  readonly system?: string | TextBlockParam[];
  readonly messages: MessageParam[];
}

/** The user's message that answers the calls of a reply. */
export type AnthropicAnswer = UserMessageParam & { content: ToolResultBlockParam[] };

/** The two halves of a step. */
export interface AnthropicSteps {
  request(conversation: AnthropicConversation): Promise<AnthropicRequest>;
  answer(message: Pick<Message, 'content'>, options?: { readonly signal?: AbortSignal }): Promise<AnthropicAnswer>;
}

/** How far a run may go. */
export interface AnthropicRunOptions {
  /** Requests at most, 1 and more. @default 20 */
  readonly maxSteps?: number;
  /** Gives up the run, with the request and the calls under way. */
  readonly signal?: AbortSignal;
}

/** What `client.messages.create` takes, but for what the toolbox brings, and {@link AnthropicRunOptions}. */
export type AnthropicRunParams = Omit<MessageCreateParamsNonStreaming, 'tools' | 'stream' | 'messages'> &
  AnthropicRunOptions & { readonly messages: readonly MessageParam[] };

/** How a run went. */
export interface AnthropicRun {
  /** The text of the last reply. */
  readonly text: string;
  /**
   * The last reply. Its `stop_reason` says how the run ended: `end_turn` is the good end; `tool_use` and `pause_turn` mean
   * that there were no steps left, `max_tokens` that the reply is cut off.
   */
  readonly message: Message;
  /** The whole conversation, ready to go on from: calls of the last reply that were not made are not in it. */
  readonly messages: readonly MessageParam[];
  /** Requests made. */
  readonly steps: number;
}

/** Asks and answers in turn. @throws whatever the client throws; the signal's reason when it is given up */
export async function runAnthropic(
  toolbox: AnthropicSteps,
  client: AnthropicClient,
  { maxSteps, signal, messages: given, system, ...params }: AnthropicRunParams,
): Promise<AnthropicRun> {
  const most = checkedMaxSteps(maxSteps);
  const messages = [...given];
  const aborting = signal ? { signal } : {};
  for (let steps = 1; ; steps++) {
    signal?.throwIfAborted();
    const request = await toolbox.request({ messages, system });
    const message = await client.messages.create({ ...params, ...request }, aborting);
    const isOver = steps >= most || !(message.stop_reason === 'tool_use' || message.stop_reason === 'pause_turn');
    if (isOver) {
      const said = message.content.filter(({ type }) => type !== 'tool_use');
      return { text: textOf(message.content), message, messages: [...messages, ...replyOf(said)], steps };
    }
    messages.push(...replyOf(message.content));
    const answer = await toolbox.answer(message, aborting);
    // A paused turn goes on from where it is; there is nothing to answer.
    if (answer.content.length > 0) messages.push(answer);
  }
}

function replyOf(content: readonly ContentBlock[]): MessageParam[] {
  return content.length === 0 ? [] : [{ role: 'assistant', content: [...content] }];
}

function textOf(content: readonly ContentBlock[]): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
}
