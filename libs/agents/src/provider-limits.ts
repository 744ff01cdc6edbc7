/** What a provider takes in one request; one tool beyond it and the provider refuses everything. */
export interface ProviderLimits {
  /** In words, for reports. */
  readonly provider: string;
  /** Characters of a name; all providers here take letters, digits, `_` and `-`. */
  readonly nameChars: number;
  /** Tools in one request. */
  readonly tools: number;
  /** Characters of a description. @default no limit */
  readonly descriptionChars?: number;
}

/** OpenAI: names as in `FunctionDefinition` of its SDK (`shared.d.ts`), 128 tools a request. */
export const OPENAI_LIMITS: ProviderLimits = { provider: 'OpenAI', nameChars: 64, tools: 128, descriptionChars: 1024 };

/** Anthropic: names as its API documents them; 10,000 tools with tool search. */
export const ANTHROPIC_LIMITS: ProviderLimits = { provider: 'Anthropic', nameChars: 128, tools: 10_000 };

/** What every provider takes: for a loop that may talk to any of them. */
export const ANY_PROVIDER_LIMITS: ProviderLimits = { ...OPENAI_LIMITS, provider: 'any provider' };
