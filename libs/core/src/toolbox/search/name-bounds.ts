import { ToolSearchError } from '../../tool/tool-search.error.js';

const MAX_NAMES = 10;

/**
 * Validates a list of 1 to 10 exact canonical names and removes duplicates. Names are not corrected, because a similar
 * name may belong to a different tool.
 *
 * @throws ToolSearchError `INVALID_ARGUMENTS` or `TOO_MANY_NAMES`
 */
export function boundedNames(names: unknown): readonly string[] {
  if (!Array.isArray(names) || names.length === 0) {
    throw new ToolSearchError('INVALID_ARGUMENTS', 'names must be a list of 1 to 10 tool names.', {
      hint: 'Find names with tool_search.',
    });
  }
  if (names.length > MAX_NAMES) {
    throw new ToolSearchError(
      'TOO_MANY_NAMES',
      `${names.length} names were asked for; at most ${MAX_NAMES} fit one call.`,
      {
        hint: 'Ask in several calls.',
      },
    );
  }
  for (const name of names) {
    if (typeof name !== 'string' || name === '' || name.length > 128 || /[*?]/.test(name)) {
      throw new ToolSearchError(
        'INVALID_ARGUMENTS',
        'Every name must be a tool name of 1 to 128 characters, without wildcards.',
        {
          hint: 'Copy names from a tool_search answer.',
        },
      );
    }
  }
  return [...new Set(names as string[])];
}
