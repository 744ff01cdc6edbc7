import type {
  BetaContentBlock,
  BetaMessage,
  BetaMessageParam,
  BetaTextBlockParam,
  BetaToolResultBlockParam,
  BetaToolUnion,
  BetaUserMessageParam,
  MessageCreateParamsNonStreaming,
} from '@anthropic-ai/sdk/resources/beta/messages';
import type { AnthropicBeta } from '@anthropic-ai/sdk/resources/beta/beta';
import { checkedMaxSteps } from '../wire/max-steps.js';

/** The part of an Anthropic client that a run with tool changes needs. */
export interface AnthropicBetaClient {
  readonly beta: {
    readonly messages: {
      create(
        params: MessageCreateParamsNonStreaming,
        options?: { signal?: AbortSignal | null },
      ): PromiseLike<BetaMessage>;
    };
  };
}

/** Input of a request with tool changes. */
export interface AnthropicBetaConversation {
  readonly messages: readonly BetaMessageParam[];
  readonly system?: string | readonly BetaTextBlockParam[] | undefined;
  /** The `tools` of the conversation's earlier requests; they do not change. @default those of this adapter's first request */
  readonly tools?: readonly BetaToolUnion[] | undefined;
}

/** Fields to spread into `client.beta.messages.create`. */
export interface AnthropicBetaRequest {
  /** The same in every request of the conversation. */
  readonly tools: BetaToolUnion[];
  readonly system?: string | BetaTextBlockParam[];
  /** The conversation to continue: keep it, and add the reply to it. It ends with the changes of tools, if any. */
  readonly messages: BetaMessageParam[];
  /** Beta features that the provider must enable for this request. */
  readonly betas: AnthropicBeta[];
}

/** The user message with the results of a reply's calls. */
export type AnthropicBetaAnswer = BetaUserMessageParam & { content: BetaToolResultBlockParam[] };

export interface AnthropicBetaSteps {
  request(conversation: AnthropicBetaConversation): Promise<AnthropicBetaRequest>;
  answer(
    message: Pick<BetaMessage, 'content'>,
    options?: { readonly signal?: AbortSignal },
  ): Promise<AnthropicBetaAnswer>;
}

/** The parameters of `client.beta.messages.create`, the limits of a run, and the conversation so far. */
export type AnthropicBetaRunParams = Omit<MessageCreateParamsNonStreaming, 'tools' | 'stream' | 'messages'> &
  Pick<AnthropicBetaConversation, 'messages' | 'tools'> & {
    /** Maximum number of requests, at least 1. @default 20 */
    readonly maxSteps?: number;
    /** Aborts the run, with its request and running calls. */
    readonly signal?: AbortSignal;
  };

/** The outcome of a run with tool changes. */
export interface AnthropicBetaRun {
  /** The text of the last reply. */
  readonly text: string;
  /** The last reply; its `stop_reason` shows how the run ended. */
  readonly message: BetaMessage;
  /** The whole conversation with its changes of tools, ready to be continued. */
  readonly messages: readonly BetaMessageParam[];
  /** To continue the conversation with. */
  readonly tools: readonly BetaToolUnion[];
  /** Number of requests. */
  readonly steps: number;
}

/** Runs the loop. @throws the client's errors, and the signal's reason when the run is aborted */
export async function runAnthropicBeta(
  toolbox: AnthropicBetaSteps,
  client: AnthropicBetaClient,
  { maxSteps, signal, messages: given, tools, system, betas = [], ...params }: AnthropicBetaRunParams,
): Promise<AnthropicBetaRun> {
  const most = checkedMaxSteps(maxSteps);
  const aborting = signal ? { signal } : {};
  let messages: readonly BetaMessageParam[] = given;
  let { container } = params;
  for (let steps = 1; ; steps++) {
    signal?.throwIfAborted();
    const request = await toolbox.request({ messages, system, tools });
    const message = await client.beta.messages.create(
      { ...params, ...request, betas: [...betas, ...request.betas], ...(container !== undefined && { container }) },
      aborting,
    );
    // Code that the provider runs goes on in the container in which it called.
    container = message.container?.id ?? container;
    const isOver = steps >= most || !(message.stop_reason === 'tool_use' || message.stop_reason === 'pause_turn');
    const replyContent = isOver ? message.content.filter(({ type }) => type !== 'tool_use') : message.content;
    const { tools: declaredTools } = request;
    // Changes without a reply would be refused, and the next request finds them again.
    if (replyContent.length > 0) messages = [...request.messages, { role: 'assistant', content: [...replyContent] }];
    if (isOver) return { text: textOf(message.content), message, messages, tools: declaredTools, steps };
    const answer = await toolbox.answer(message, aborting);
    // A paused turn continues without an answer.
    if (answer.content.length > 0) messages = [...messages, answer];
  }
}

function textOf(content: readonly BetaContentBlock[]): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
}
