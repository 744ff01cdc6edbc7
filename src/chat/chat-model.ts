import { Logger } from '@nestjs/common';
import type { LanguageModel } from 'ai';
import type { Environment } from '../settings/environment.js';
import { DemoModel } from './demo-model/demo-model.js';

export const CHAT_MODEL = Symbol('CHAT_MODEL');

/**
 * The model the environment names: Anthropic's, OpenAI's or one behind an OpenAI-compatible base URL, else the offline
 * demo model, which needs no key and no network.
 */
export async function chatModel(env: Environment): Promise<LanguageModel> {
  const { ANTHROPIC_API_KEY, OPENAI_API_KEY, OPENAI_BASE_URL, MODEL, options } = env;
  // A provider's package is loaded only where it is used.
  if (OPENAI_BASE_URL !== undefined) {
    const { createOpenAI } = await import('@ai-sdk/openai');
    // Compatible servers speak chat completions; few speak the newer responses API.
    return createOpenAI({ baseURL: OPENAI_BASE_URL, apiKey: OPENAI_API_KEY ?? 'none' }).chat(MODEL ?? 'default');
  }
  if (OPENAI_API_KEY !== undefined) {
    const { createOpenAI } = await import('@ai-sdk/openai');
    return createOpenAI({ apiKey: OPENAI_API_KEY })(MODEL ?? 'gpt-5.4-mini');
  }
  if (ANTHROPIC_API_KEY !== undefined) {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    return createAnthropic({ apiKey: ANTHROPIC_API_KEY })(MODEL ?? 'claude-haiku-4-5');
  }
  if (options.preset !== undefined) {
    new Logger('ToolSearch').warn(
      `The demo model speaks of meta tools as ToolSearch does; with the preset ${options.preset} it may find nothing by searching. Set a real model.`,
    );
  }
  return new DemoModel(options.exposure?.metaTools);
}
