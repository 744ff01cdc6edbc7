import { Logger, type Type } from '@nestjs/common';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { ProviderMark } from '../decorators/provider-mark.js';

/** Classes that some application of this process provides. */
const PROVIDED = new WeakSet<Type>();
const MAX_NAMES = 20;

const HINT = 'List them among the providers of a module';

interface UnusedWords {
  /** What the classes are, for example `interceptors of calls`. */
  readonly what: string;
  /** For example `they would not run`. */
  readonly effect: string;
}

/**
 * Fails the boot for decorated classes that no module provides: what they check would silently be left out.
 *
 * @param used classes that this application provides
 * @param unused `warn`: only logs a warning. @default 'refuse'
 * @param words with the option that names this choice
 * @throws ToolSearchError `INVALID_CONFIGURATION`
 */
export function refuseUnused<T, V>(
  mark: ProviderMark<T, V>,
  used: readonly Type[],
  unused: 'refuse' | 'warn' | undefined,
  words: UnusedWords & { readonly option: string },
): void {
  const classes = mark.unused(used, PROVIDED);
  if (classes.length === 0) return;
  if (unused === 'warn') return warnOfUnused(classes, words);
  throw new ToolSearchError('INVALID_CONFIGURATION', sentenceOf(classes, words), {
    hint: `${HINT}, or set ${words.option} to "warn" if they belong to another application of this process.`,
  });
}

/**
 * Logs a warning for decorated classes that no module provides.
 *
 * @param more what else can be done, after the hint to provide them. @default nothing
 */
export function warnOfUnused(classes: readonly Type[], words: UnusedWords, more = ''): void {
  if (classes.length > 0) new Logger('ToolSearch').warn(`${sentenceOf(classes, words)} ${HINT}${more}`);
}

function sentenceOf(classes: readonly Type[], { what, effect }: UnusedWords): string {
  const names = classes.slice(0, MAX_NAMES).map(({ name }) => name);
  return `No module provides these ${what}, so ${effect}: ${names.join(', ')}.`;
}
