import { deprecationOptions } from '../../tool/deprecation.js';
import { isObject } from '../../json/json.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { CodeToolOptions } from '../decorators/define-tool.js';
import type { ToolOptions } from '../decorators/tool.decorator.js';

// The type makes it complete: a new option does not compile without an entry here.
const TOOL: Record<keyof ToolOptions, true> = {
  name: true,
  namespace: true,
  title: true,
  description: true,
  input: true,
  output: true,
  tags: true,
  sideEffects: true,
  examples: true,
  exampleQueries: true,
  loading: true,
  aliases: true,
  authScopes: true,
  costHint: true,
  latencyHintMs: true,
  safetyNotes: true,
  deprecated: true,
  extra: true,
  origin: true,
  timeoutMs: true,
  cache: true,
  invalidates: true,
  untrusted: true,
};
const TOOL_KEYS = Object.keys(TOOL);
const DEPRECATION_KEYS = deprecationOptions.keyof().options;
const { origin: _, ...CODE_TOOL }: Record<keyof CodeToolOptions | 'origin', true> = { ...TOOL, run: true };
const CODE_TOOL_KEYS = Object.keys(CODE_TOOL);

/**
 * Refuses unknown options of `@Tool()`: with a misspelt `input`, the tool would have no arguments.
 *
 * @throws as {@link checkKeys}
 */
export function checkToolKeys(options: unknown, where: string): void {
  checkToolParts(options, TOOL_KEYS, where);
}

/** Like {@link checkToolKeys}, for `defineTool()`. @throws as {@link checkKeys} */
export function checkCodeToolKeys(options: unknown, where: string): void {
  checkToolParts(options, CODE_TOOL_KEYS, where);
}

function checkToolParts(options: unknown, known: readonly string[], where: string): void {
  checkKeys(options, known, where);
  const { examples, deprecated } = options as { examples?: unknown; deprecated?: unknown };
  if (deprecated !== undefined) checkKeys(deprecated, DEPRECATION_KEYS, `${where} deprecated`);
  if (!Array.isArray(examples)) return;
  examples.forEach((each, index) => checkKeys(each, ['args', 'description', 'tags'], `${where} examples[${index}]`));
}

/**
 * Checks the keys of an options object.
 *
 * @throws ToolSearchError `INVALID_CONFIGURATION` for any other value, or an unknown key
 */
function checkKeys(options: unknown, known: readonly string[], where: string): void {
  const hint = `Known options: ${known.join(', ')}.`;
  if (!isObject(options)) throw new ToolSearchError('INVALID_CONFIGURATION', `${where} must be an object.`, { hint });
  const unknown = Object.keys(options).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  throw new ToolSearchError('INVALID_CONFIGURATION', `${where} has no option ${JSON.stringify(unknown)}.`, { hint });
}
