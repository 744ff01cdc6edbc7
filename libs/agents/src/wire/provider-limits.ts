/** A provider's limits for one request. With one tool beyond them, the provider refuses the whole request. */
export interface ProviderLimits {
  /** The provider's name, for reports. */
  readonly provider: string;
  /** Maximum characters of a name; all providers here accept letters, digits, `_` and `-`. */
  readonly nameChars: number;
  /** Maximum number of tools in one request, including meta tools and the caller's own. */
  readonly tools: number;
  /** Maximum characters of a description; longer ones are cut (`tool_get` returns them in full). @default none */
  readonly descriptionChars?: number;
}

/**
 * OpenAI: names as in `FunctionDefinition` of its SDK (`shared.d.ts`), 128 tools according to its API error
 * (`array_above_max_length`). It refused descriptions over 1,024 characters until 2025, and compatible servers may
 * still do so: set `descriptionChars` for them.
 */
export const OPENAI_LIMITS: ProviderLimits = { provider: 'OpenAI', nameChars: 64, tools: 128 };

/** Anthropic: names according to its API error (`^[a-zA-Z0-9_-]{1,128}$`); 10,000 tools with tool search. */
export const ANTHROPIC_LIMITS: ProviderLimits = { provider: 'Anthropic', nameChars: 128, tools: 10_000 };

/** Limits that every provider accepts, for a loop that may use any of them. */
export const ANY_PROVIDER_LIMITS: ProviderLimits = { ...OPENAI_LIMITS, provider: 'any provider' };
