import { abortable } from '../../async/deadline.js';
import { TimeSlicer } from '../../async/time-slicer.js';
import { keepsWholeNumbers } from '../../json/exact-decimal.js';
import { isObject, type JsonObject, parsedJson, POISONED_KEYS } from '../../json/json.js';
import { BODY_LIMITS, checkCounts, checkJsonText, type JsonLimits } from '../../tool/json-limits.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { ToolExecutor } from '../../tool/tool-source.js';
import type { BegunCall, CheckedCall } from './call-types.js';

const MAX_BYTES = 262_144;
/** Checking and copying this many values takes well under a millisecond. */
const FEW_VALUES = 1_000;
const LIMITS: JsonLimits = { depth: 32, objectKeys: 1_000, values: 10_000 };

/** How the arguments of a call reached the toolbox. */
export interface ArgumentOrigin {
  /**
   * Whether the arguments were parsed from JSON text that `keepsWholeNumbers` accepts. Then whole numbers beyond
   * ±(2^53-1) are taken, such as 6.02e23: they are as they were written. Otherwise they may be rounded, and are refused.
   *
   * @default false
   */
  readonly exactNumbers?: boolean;
}

/**
 * Returns a call's arguments, also those that come as JSON text, as a JSON object within bounds: 256 KiB, 32 levels,
 * 10,000 values, 1,000 keys per object, no key that reaches a prototype, and only numbers that are known to be exact. -0
 * becomes 0.
 *
 * @throws ToolSearchError `INVALID_ARGUMENTS` or `ARGUMENTS_TOO_LARGE`
 */
export function boundedArguments(input: unknown, origin?: ArgumentOrigin): JsonObject {
  return measuredArguments(input, origin).value;
}

/** Like {@link boundedArguments}, with their bytes as JSON. @throws ToolSearchError as {@link boundedArguments} */
export function measuredArguments(
  input: unknown,
  { exactNumbers = false }: ArgumentOrigin = {},
): { readonly value: JsonObject; readonly bytes: number } {
  const given = givenArguments(input);
  if (!isObject(given)) {
    throw new ToolSearchError('INVALID_ARGUMENTS', 'The arguments must be a JSON object.', {
      hint: `Pass the same arguments as an object, ${typeof input === 'string' ? 'not as a text' : 'by the schema of the tool'}.`,
    });
  }
  checkTree(given, exactNumbers ? Number.isFinite : isCertain);
  let json: string;
  try {
    json = JSON.stringify(given);
  } catch (error) {
    throw new ToolSearchError('INVALID_ARGUMENTS', 'The arguments are not plain JSON.', {
      hint: 'Send strings, numbers, booleans, null, lists and objects only.',
      cause: error,
    });
  }
  const bytes = Buffer.byteLength(json);
  if (bytes > MAX_BYTES) throw tooLarge();
  return { value: JSON.parse(json) as JsonObject, bytes };
}

/**
 * Arguments as they are meant: some models and clients send the JSON text of the object that a schema asks for. Anything
 * else stays as it is.
 *
 * @throws ToolSearchError `ARGUMENTS_TOO_LARGE`; `INVALID_ARGUMENTS` for a text whose numbers would be rounded, or in which
 *   an object has the same key twice
 */
export function givenArguments(input: unknown): unknown {
  if (typeof input !== 'string' || !/^\s*\{/.test(input)) return input;
  if (Buffer.byteLength(input) > MAX_BYTES) throw tooLarge();
  checkArgumentsText(input);
  const parsed = parsedJson(input);
  if (!isObject(parsed)) return input;
  // Once the text is gone, nobody can tell.
  if (!keepsWholeNumbers(input)) throw inexact();
  return parsed;
}

/**
 * Checks JSON text of arguments before it is parsed: once it is, nobody can tell that a key came twice. Text that is not
 * JSON passes.
 *
 * @throws ToolSearchError `ARGUMENTS_TOO_LARGE` for more than 40 levels, 1,000 keys in one object or 12,000 values;
 *   `INVALID_ARGUMENTS` for an object with the same key twice
 */
export function checkArgumentsText(text: string): void {
  checkJsonText(text, 'The arguments are', BODY_LIMITS, 'INVALID_ARGUMENTS');
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

function tooLarge(): ToolSearchError {
  return new ToolSearchError('ARGUMENTS_TOO_LARGE', `The arguments are larger than ${MAX_BYTES} bytes.`, {
    hint: 'Send less in one call.',
  });
}

// Level by level and only up to the limits, so that neither deep nor cyclic input exhausts stack or memory.
function checkTree(root: object, isExact: (value: number) => boolean): void {
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
        if (typeof child === 'number' && !isExact(child)) throw inexact();
        if (typeof child === 'object' && child !== null) next.push(child);
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
function isCertain(value: number): boolean {
  return Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
}

function inexact(): ToolSearchError {
  return new ToolSearchError('INVALID_ARGUMENTS', 'A number in the arguments may have been rounded.', {
    hint: 'A whole number beyond ±(2^53-1) is rounded on its way: send it as text, if the tool takes text there.',
  });
}

/**
 * Checks arguments against the bounds of every call and the tool's own schema.
 *
 * @param input @default the arguments of the caller; others if the application has changed them
 * @throws ToolSearchError `INVALID_ARGUMENTS` or `ARGUMENTS_TOO_LARGE`
 */
export async function checkArguments(call: BegunCall, input: unknown = call.input): Promise<CheckedCall> {
  const { executor, options, signal, state } = call;
  // Each call with large arguments waits for a turn of the event loop, so that many of them block it no longer than
  // one.
  if (areLarge(input)) await new TimeSlicer(0, signal).pause();
  const measured = measuredArguments(input, options);
  // The record keeps what the caller wrote.
  state.given ??= measured;
  const given = measured.value;
  const { value } = await abortable(() => validated(executor, given), signal);
  // Those that the application has changed are of a call of their own: the call that it was given stays as it is.
  return Object.assign(input === call.input ? call : { ...call }, { given, value });
}

/** The arguments as the tool receives them. @throws ToolSearchError `INVALID_ARGUMENTS` */
export async function validated(executor: ToolExecutor, input: JsonObject): Promise<{ readonly value: unknown }> {
  const checked = await executor.validate(input);
  if ('value' in checked) return checked;
  const faults = checked.issues.map(({ path, message }) => `${path} ${message}`).join('; ');
  throw new ToolSearchError('INVALID_ARGUMENTS', `The arguments do not fit the tool's schema: ${faults}.`, {
    hint: ({ get }) =>
      `Correct the arguments and call again.${get === undefined ? '' : ` You can read the input schema with ${get}.`}`,
  });
}
