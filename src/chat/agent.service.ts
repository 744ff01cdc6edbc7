import { Inject, Injectable } from '@nestjs/common';
import { aiSdk } from '@tool-search/agents/ai-sdk';
import { type Toolbox, ToolSearchError } from '@tool-search/core';
import { AISDKError, generateText, isStepCount, type LanguageModel, type ModelMessage } from 'ai';
import { CHAT_MODEL } from './chat-model.js';
import { ConversationMemory } from './conversation-memory.js';
import { Conversation, type Step } from './conversation.js';

export interface Reply {
  readonly answer: string;
  readonly steps: readonly Step[];
}

const MAX_STEPS = 20;

/** The agent loop: a model, the toolbox, the earlier messages of the session, and nothing that names a tool. */
@Injectable()
export class AgentService {
  readonly #memory = new ConversationMemory();

  constructor(@Inject(CHAT_MODEL) private readonly model: LanguageModel) {}

  /**
   * Serves one message of a user. Of two at the same time in one session the one that ends last is remembered.
   *
   * @throws ToolSearchError `SOURCE_UNAVAILABLE` when the model's provider fails
   */
  async reply(text: string, toolbox: Toolbox): Promise<Reply> {
    const context = await toolbox.context();
    const conversation = new Conversation();
    const started = performance.now();
    const messages: ModelMessage[] = [...this.#memory.recall(context), { role: 'user', content: text }];
    const settings = await aiSdk(conversation.observe(toolbox));
    const result = await generateText({
      model: this.model,
      messages,
      stopWhen: isStepCount(MAX_STEPS),
      ...settings,
    }).catch((error: unknown) => {
      throw unreachable(error);
    });
    this.#memory.remember(context, [...messages, ...result.responseMessages]);
    conversation.answered(started);
    return { answer: result.text, steps: conversation.steps };
  }
}

// A fault of the toolbox or of our own keeps its name.
function unreachable(error: unknown): unknown {
  if (!AISDKError.isInstance(error)) return error;
  return new ToolSearchError('SOURCE_UNAVAILABLE', 'The model cannot be reached.', {
    hint: "Try again later; check the provider's key, base URL and model if it stays so.",
    cause: error,
  });
}
