import type { LanguageModel } from 'ai';
import { ANTHROPIC_LIMITS, ANY_PROVIDER_LIMITS, type ProviderLimits } from '../wire/provider-limits.js';

/** Whose model it is, as far as that matters: who can defer tools, and how many a request may have. */
export type AiSdkProvider = 'anthropic' | 'openai-responses' | 'other';

/**
 * Read off the model's `provider`, which is `anthropic.messages` in `@ai-sdk/anthropic` and `openai.responses` in
 * `@ai-sdk/openai`. A gateway may hand a request on to
 * anybody, and Claude at Bedrock or Vertex knows less than at home, so those defer nothing by themselves.
 */
export function providerOf(model: LanguageModel): AiSdkProvider {
  const provider = typeof model === 'string' ? '' : model.provider;
  if (provider === 'openai.responses') return 'openai-responses';
  return /^anthropic(\.|$)/.test(provider) ? 'anthropic' : 'other';
}

/** Names are made before the model is known, so they fit every provider. */
export function limitsOf(provider: AiSdkProvider): ProviderLimits {
  const { nameChars } = ANY_PROVIDER_LIMITS;
  return provider === 'anthropic' ? { ...ANTHROPIC_LIMITS, nameChars } : ANY_PROVIDER_LIMITS;
}
