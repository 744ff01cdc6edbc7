import { countTokens as o200kBase } from 'gpt-tokenizer/encoding/o200k_base';

/** Tokens of a text as OpenAI's o200k_base counts them. Special tokens in a tool's text are ordinary text. */
export function countTokens(text: string): number {
  return o200kBase(text, { disallowedSpecial: new Set() });
}
