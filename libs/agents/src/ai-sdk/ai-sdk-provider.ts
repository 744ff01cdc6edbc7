import type { LanguageModel } from 'ai';
import { ANTHROPIC_LIMITS, ANY_PROVIDER_LIMITS, type ProviderLimits } from '../wire/provider-limits.js';

/** The provider of a model, as far as it determines whether tools can be deferred and how many a request may have. */
export type AiSdkProvider = 'anthropic' | 'openai-responses' | 'other';

/**
 * Detected from the model's `provider`, which is `anthropic.messages` in `@ai-sdk/anthropic` and `openai.responses` in
 * `@ai-sdk/openai`. A gateway may forward a request to any provider, and Claude on Bedrock or Vertex has fewer features
 * than Anthropic's own API, so tools are not deferred there by default.
 */
export function providerOf(model: LanguageModel): AiSdkProvider {
  const provider = typeof model === 'string' ? '' : model.provider;
  if (provider === 'openai.responses') return 'openai-responses';
  return /^anthropic(\.|$)/.test(provider) ? 'anthropic' : 'other';
}

/** Names are created before the model is known, so they must fit every provider. */
export function limitsOf(provider: AiSdkProvider): ProviderLimits {
  const { nameChars } = ANY_PROVIDER_LIMITS;
  return provider === 'anthropic' ? { ...ANTHROPIC_LIMITS, nameChars } : ANY_PROVIDER_LIMITS;
}
