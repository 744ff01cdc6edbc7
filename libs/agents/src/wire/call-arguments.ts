import { failure, type ToolFailure } from '@tool-search/core';

/** Arguments as a provider sends them: JSON in a text, or nothing for none. `undefined` for what is not JSON. */
export function parsedArguments(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The refusal of arguments that are not JSON; the same for every name. */
export function failedArguments(): ToolFailure {
  return failure('INVALID_ARGUMENTS', 'The arguments are not valid JSON.', 'Send one JSON object.');
}
