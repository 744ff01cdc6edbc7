import { experimental_runCodeMode as run } from '@ai-sdk/code-mode';
import { aiSdk } from '@tool-search/agents/ai-sdk';
import type { Toolbox } from '@tool-search/core';
import { generateText, isStepCount, type LanguageModel } from 'ai';

// #region programs
export async function withPrograms(toolbox: Toolbox, model: LanguageModel, prompt: string) {
  const programs = { run, tools: ['reports.render'], limits: { timeoutMs: 10_000, maxBridgeRequests: 1000 } };
  const settings = await aiSdk(toolbox, { programs });
  return generateText({ model, prompt, stopWhen: isStepCount(20), ...settings });
}
// #endregion programs
