import { Inject, Injectable } from '@nestjs/common';
import { aiSdk } from '@tool-search/agents/ai-sdk';
import type { Toolbox } from '@tool-search/core';
import { generateText, isStepCount, type LanguageModel } from 'ai';
import { CHAT_MODEL } from './chat-model.js';
import { Conversation, type Step } from './conversation.js';

/** What the agent said and did. */
export interface Reply {
  readonly answer: string;
  readonly steps: readonly Step[];
}

const MAX_STEPS = 20;

/** The agent loop: a model, the toolbox, and nothing that names a tool. */
@Injectable()
export class AgentService {
  constructor(@Inject(CHAT_MODEL) private readonly model: LanguageModel) {}

  async reply(text: string, toolbox: Toolbox): Promise<Reply> {
    const conversation = new Conversation();
    const started = performance.now();
    const { text: answer } = await generateText({
      model: this.model,
      prompt: text,
      stopWhen: isStepCount(MAX_STEPS),
      ...(await aiSdk(conversation.observe(toolbox))),
    });
    conversation.answered(started);
    return { answer, steps: conversation.steps };
  }
}
