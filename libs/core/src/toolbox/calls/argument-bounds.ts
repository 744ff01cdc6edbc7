import { isObject, type JsonObject, POISONED_KEYS } from '../../json/json.js';
import { checkCounts, type JsonLimits } from '../../tool/json-limits.js';
import { failure, type ToolFailure } from '../../tool/tool-result.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { ToolExecutor } from '../../tool/tool-source.js';

const MAX_BYTES = 262_144;
/** Checking and copying this many values takes well under a millisecond. */
const FEW_VALUES = 1_000;
const LIMITS: JsonLimits = { depth: 32, objectKeys: 1_000, values: 10_000 };

/**
 * Returns a call's arguments as a JSON object within bounds: 256 KiB, 32 levels, 10,000 values, 1,000 keys per object,
 * no key that reaches a prototype, and only numbers that JSON carries exactly.
 *
 * @throws ToolSearchError `INVALID_ARGUMENTS` or `ARGUMENTS_TOO_LARGE`
 */
export function boundedArguments(input: unknown): JsonObject {
  return measuredArguments(input).value;
}

/** Like {@link boundedArguments}, with their bytes as JSON. @throws ToolSearchError as {@link boundedArguments} */
export function measuredArguments(input: unknown): { readonly value: JsonObject; readonly bytes: number } {
  if (!isObject(input)) {
    throw new ToolSearchError('INVALID_ARGUMENTS', 'The arguments must be a JSON object.', {
      hint: 'Pass {} when the tool needs no arguments.',
    });
  }
  checkTree(input);
  let json: string;
  try {
    json = JSON.stringify(input);
  } catch (error) {
    throw new ToolSearchError('INVALID_ARGUMENTS', 'The arguments are not plain JSON.', {
      hint: 'Send strings, numbers, booleans, null, lists and objects only.',
      cause: error,
    });
  }
  const bytes = Buffer.byteLength(json);
  if (bytes > MAX_BYTES) {
    throw new ToolSearchError('ARGUMENTS_TOO_LARGE', `The arguments are larger than ${MAX_BYTES} bytes.`, {
      hint: 'Send less in one call.',
    });
  }
  return { value: JSON.parse(json) as JsonObject, bytes };
}

/** Whether arguments have more than 1,000 values, so that checking them takes milliseconds. Stops counting there. */
export function areLarge(input: unknown): boolean {
  const open: unknown[] = [input];
  for (let values = 1; open.length > 0;) {
    const item = open.pop();
    if (typeof item !== 'object' || item === null) continue;
    for (const key in item) {
      open.push((item as Readonly<Record<string, unknown>>)[key]);
      if ((values += 1) > FEW_VALUES) return true;
    }
  }
  return false;
}

// Level by level and only up to the limits, so that neither deep nor cyclic input exhausts stack or memory.
function checkTree(root: object): void {
  let values = 1;
  let level = [root];
  for (let depth = 1; level.length > 0; depth += 1) {
    checkCounts('The arguments are', { depth }, LIMITS);
    const next: object[] = [];
    for (const item of level) {
      const children: unknown[] = Array.isArray(item) ? item : Object.values(item);
      checkCounts('The arguments are', { values: (values += children.length) }, LIMITS);
      if (!Array.isArray(item)) checkKeys(Object.keys(item));
      for (const child of children) {
        if (typeof child === 'number') checkNumber(child);
        else if (typeof child === 'object' && child !== null) next.push(child);
      }
    }
    level = next;
  }
}

function checkKeys(keys: readonly string[]): void {
  checkCounts('The arguments are', { objectKeys: keys.length }, LIMITS);
  const poison = keys.find((key) => POISONED_KEYS.has(key));
  if (poison === undefined) return;
  throw new ToolSearchError('INVALID_ARGUMENTS', `The key ${poison} is not allowed in arguments.`, {
    hint: 'Leave it out.',
  });
}

// 1e400 arrives as Infinity and 2^53+1 is rounded. Refuse both: a rounded amount could be paid.
function checkNumber(value: number): void {
  const exact = Number.isInteger(value) ? Number.isSafeInteger(value) && !Object.is(value, -0) : Number.isFinite(value);
  if (exact) return;
  throw new ToolSearchError('INVALID_ARGUMENTS', 'A number in the arguments cannot be represented exactly.', {
    hint: 'Whole numbers must lie within ±(2^53-1).',
  });
}

/** The arguments as the tool receives them, or the failure that names what does not fit. */
export async function checkedInput(
  executor: ToolExecutor,
  input: JsonObject,
): Promise<{ value: unknown } | ToolFailure> {
  const checked = await executor.validate(input);
  if ('value' in checked) return checked;
  const faults = checked.issues.map(({ path, message }) => `${path} ${message}`).join('; ');
  return failure(
    'INVALID_ARGUMENTS',
    `The arguments do not fit the tool's schema: ${faults}.`,
    'Correct the arguments and call again. You can read the input schema with tool_get.',
  );
}
