import { targetName } from '../../parts/words.js';

const NAME = /^[\w.-]{1,128}$/;
const PATTERN = /^[\w.*?-]{1,256}$/;

/** Why a target is none, and the choice that it fits, if there is one. */
export interface WrongTarget {
  readonly words: string;
  readonly instead?: 'glob';
}

/**
 * Why a typed target cannot be what was chosen, in the words of the page. The server says it in those of its API.
 *
 * @param value not empty
 */
export function wrongTarget(kind: string, value: string): WrongTarget | undefined {
  const isPattern = PATTERN.test(value);
  if (kind === 'glob' && !isPattern) {
    return { words: 'A pattern has at most 256 letters, digits, “_”, “-”, “.”, and the wildcards “*” and “?”.' };
  }
  if (kind === 'tag' && value.length > 64) return { words: 'A tag has at most 64 characters.' };
  if ((kind !== 'tool' && kind !== 'namespace') || NAME.test(value)) return undefined;
  const what = kind === 'tool' ? 'The name of a tool' : 'A namespace';
  if (!isPattern || !/[*?]/.test(value)) {
    return { words: `${what} has at most 128 letters, digits, “_”, “-” and “.”.` };
  }
  const words = `${what} has no “*” and no “?”. For a pattern, choose “${targetName('glob')}” under “Turn off”.`;
  return { words, instead: 'glob' };
}
