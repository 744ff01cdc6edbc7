import type { AdapterDriver } from './adapter-driver.js';
import { aiSdkAnthropicDriver } from './anthropic/ai-sdk-anthropic.driver.js';
import { aiSdkOpenAiDriver } from './openai/ai-sdk-openai.driver.js';
import { aiSdkResponsesDriver } from './openai/ai-sdk-responses.driver.js';
import { anthropicBetaDriver } from './anthropic/anthropic-beta.driver.js';
import { anthropicDriver } from './anthropic/anthropic.driver.js';
import { langChainDriver } from './langchain.driver.js';
import { mastraDriver } from './mastra.driver.js';
import { MASTRA_MISSING } from './mastra-package.js';
import { openaiChatDriver } from './openai/openai-chat.driver.js';
import { openAiResponsesDriver } from './openai/openai-responses.driver.js';
import { plainDriver } from './plain.driver.js';

/** All adapters that the conversations of `test/adapters` run with. */
export const ADAPTER_DRIVERS: Readonly<Record<string, () => Promise<AdapterDriver>>> = {
  plain: plainDriver,
  'openai-chat': openaiChatDriver,
  'openai-responses': openAiResponsesDriver,
  langchain: langChainDriver,
  ...(MASTRA_MISSING === undefined && { mastra: mastraDriver }),
  anthropic: () => Promise.resolve(anthropicDriver),
  'anthropic-beta': () => Promise.resolve(anthropicBetaDriver),
  'ai-sdk-openai': aiSdkOpenAiDriver,
  'ai-sdk-responses': aiSdkResponsesDriver,
  'ai-sdk-anthropic': () => Promise.resolve(aiSdkAnthropicDriver),
};
