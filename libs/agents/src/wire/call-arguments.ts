import { failure, type ToolFailure } from '@tool-search/core';

/** Parses arguments as a provider sends them: JSON text, or an empty text for none. `undefined` for invalid JSON. */
export function parsedArguments(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The failure for arguments that are not JSON; the same for every name. */
export function failedArguments(): ToolFailure {
  return failure('INVALID_ARGUMENTS', 'The arguments are not valid JSON.', 'Send one JSON object.');
}
