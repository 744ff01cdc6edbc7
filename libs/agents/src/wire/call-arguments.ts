import { keepsWholeNumbers } from '@tool-search/core/source';
import { type CallOptions, checkArgumentsText, parsedJson } from '@tool-search/core/internal';
import type { ToolFailure } from '@tool-search/core';
import { failure, failureOf } from '@tool-search/core/adapter';

/** Arguments as a provider sent them, or why they are not passed on. */
export type GivenArguments = { readonly input: unknown } | { readonly refused: ToolFailure };

/** Checks and parses arguments as a provider sends them: JSON text, or an empty text for none. */
export function parsedArguments(text: string): GivenArguments {
  if (text.trim() === '') return { input: {} };
  try {
    checkArgumentsText(text);
  } catch (error) {
    return { refused: failureOf(error) };
  }
  const input = parsedJson(text);
  return input === undefined ? { refused: notJson() } : { input };
}

/** What a call should know of the text that its arguments were parsed from. */
export function textOrigin(text: string): Pick<CallOptions, 'exactNumbers'> {
  return { exactNumbers: keepsWholeNumbers(text) };
}

function notJson(): ToolFailure {
  return failure('INVALID_ARGUMENTS', 'The arguments are not valid JSON.', 'Send one JSON object.');
}
