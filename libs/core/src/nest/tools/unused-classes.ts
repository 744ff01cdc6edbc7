import { Logger, type Type } from '@nestjs/common';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { ProviderMark } from '../decorators/provider-mark.js';

/** Classes that some application of this process provides. */
const PROVIDED = new WeakSet<Type>();
const MAX_NAMES = 20;

/** What the classes are, and the option that names the choice. */
interface UnusedWords {
  /** For example `interceptors of calls`. */
  readonly what: string;
  /** For example `they would not run`. */
  readonly effect: string;
  readonly option: string;
}

/**
 * Fails the boot for decorated classes that no module provides: what they check would silently be left out.
 *
 * @param used classes that this application provides
 * @param unused `warn`: only logs a warning. @default 'refuse'
 * @throws ToolSearchError `INVALID_CONFIGURATION`
 */
export function refuseUnused<T, V>(
  mark: ProviderMark<T, V>,
  used: readonly Type[],
  unused: 'refuse' | 'warn' | undefined,
  { what, effect, option }: UnusedWords,
): void {
  const classes = mark.unused(used, PROVIDED);
  if (classes.length === 0) return;
  const names = classes.slice(0, MAX_NAMES).map(({ name }) => name);
  const words = `No module provides these ${what}, so ${effect}: ${names.join(', ')}.`;
  const hint = 'List them among the providers of a module';
  if (unused === 'warn') return new Logger('ToolSearch').warn(`${words} ${hint}`);
  throw new ToolSearchError('INVALID_CONFIGURATION', words, {
    hint: `${hint}, or set ${option} to "warn" if they belong to another application of this process.`,
  });
}
