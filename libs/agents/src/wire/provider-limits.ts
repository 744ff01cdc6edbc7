/** What a provider takes in one request; one tool beyond it and the provider refuses everything. */
export interface ProviderLimits {
  /** In words, for reports. */
  readonly provider: string;
  /** Characters of a name; all providers here take letters, digits, `_` and `-`. */
  readonly nameChars: number;
  /** Tools in one request, meta tools and the caller's own among them. */
  readonly tools: number;
  /** Characters of a description; longer ones end in `…` there, and `tool_get` has them whole. @default no limit */
  readonly descriptionChars?: number;
}

/**
 * OpenAI: names as in `FunctionDefinition` of its SDK (`shared.d.ts`), 128 tools as its API answers
 * (`array_above_max_length`). It refused descriptions over 1,024 characters until 2025, and servers that speak like it may
 * still do so: they need `descriptionChars`.
 */
export const OPENAI_LIMITS: ProviderLimits = { provider: 'OpenAI', nameChars: 64, tools: 128 };

/** Anthropic: names as its API answers (`^[a-zA-Z0-9_-]{1,128}$`); 10,000 tools with tool search. */
export const ANTHROPIC_LIMITS: ProviderLimits = { provider: 'Anthropic', nameChars: 128, tools: 10_000 };

/** What every provider takes: for a loop that may talk to any of them. */
export const ANY_PROVIDER_LIMITS: ProviderLimits = { ...OPENAI_LIMITS, provider: 'any provider' };
