import { parsedJson } from '@tool-search/core/source';
import type { ToolFailure } from '@tool-search/core';
import { failure } from '@tool-search/core/adapter';

/** Parses arguments as a provider sends them: JSON text, or an empty text for none. `undefined` for invalid JSON. */
export function parsedArguments(text: string): unknown {
  return text.trim() === '' ? {} : parsedJson(text);
}

export function failedArguments(): ToolFailure {
  return failure('INVALID_ARGUMENTS', 'The arguments are not valid JSON.', 'Send one JSON object.');
}
