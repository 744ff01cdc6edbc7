import { depthOf, isObject, type JsonObject, poisonedKey } from '../tool/json.js';
import { ToolSearchError } from '../tool/tool-search.error.js';

const MAX_BYTES = 262_144;
const MAX_DEPTH = 32;

/**
 * A call's arguments, known to be a JSON object within bounds: 256 KiB, 32 levels, no key that reaches a prototype, and
 * only numbers that JSON carries exactly.
 *
 * @throws ToolSearchError `INVALID_ARGUMENTS` or `ARGUMENTS_TOO_LARGE`
 */
export function boundedArguments(input: unknown): JsonObject {
  if (!isObject(input)) {
    throw new ToolSearchError('INVALID_ARGUMENTS', 'The arguments must be a JSON object.', {
      hint: 'Pass {} when the tool needs no arguments.',
    });
  }
  if (depthOf(input, MAX_DEPTH) > MAX_DEPTH) {
    throw new ToolSearchError('ARGUMENTS_TOO_LARGE', `The arguments are nested deeper than ${MAX_DEPTH} levels.`, {
      hint: "Follow the tool's input schema. You can read it with tool_get.",
    });
  }
  const poison = poisonedKey(input);
  if (poison !== undefined) {
    throw new ToolSearchError('INVALID_ARGUMENTS', `The key ${poison} is not allowed in arguments.`, {
      hint: 'Leave it out.',
    });
  }
  checkNumbers(input);
  let json: string;
  try {
    json = JSON.stringify(input);
  } catch (error) {
    throw new ToolSearchError('INVALID_ARGUMENTS', 'The arguments are not plain JSON.', {
      hint: 'Send strings, numbers, booleans, null, lists and objects only.',
      cause: error,
    });
  }
  if (Buffer.byteLength(json) > MAX_BYTES) {
    throw new ToolSearchError('ARGUMENTS_TOO_LARGE', `The arguments are larger than ${MAX_BYTES} bytes.`, {
      hint: 'Send less in one call.',
    });
  }
  return JSON.parse(json) as JsonObject;
}

// 1e400 arrives as Infinity and 2^53+1 as its neighbour: refusing is better than paying the wrong amount.
function checkNumbers(value: unknown): void {
  if (typeof value === 'number') {
    const exact = Number.isInteger(value)
      ? Number.isSafeInteger(value) && !Object.is(value, -0)
      : Number.isFinite(value);
    if (exact) return;
    throw new ToolSearchError('INVALID_ARGUMENTS', 'A number in the arguments cannot be represented exactly.', {
      hint: 'Whole numbers must lie within ±(2^53-1).',
    });
  }
  if (typeof value === 'object' && value !== null) for (const child of Object.values(value)) checkNumbers(child);
}
