import type { ToolDefinition } from '../../tool/tool-definition.js';
import { localName } from './tool-text.js';

/** Words that mark a copy in the name of a tool. */
export const COPY_WORDS: ReadonlySet<string> = new Set([
  'copy',
  'clone',
  'duplicate',
  'variant',
  'version',
  'replica',
  'mirror',
  'backup',
]);

// A number, with single letters attached to it: all of `v2` and `a1b2`, the `2` of `email2`.
const NUMBER = /(?<!\p{L})\p{L}?\p{N}+(?:\p{L}?\p{N}+)*(?:\p{L}(?!\p{L}))?|\p{N}+/gu;
const WORD = /\p{L}+/gu;
const MIN_SIMILARITY = 0.8;
const MAX_COMPARED_CHARS = 500;

/** The features of a tool by which copies are detected. */
export class CopyMarks {
  /** The words of the tool's name, without numbers and copy words. */
  readonly name: string;
  #words: ReadonlySet<string> | undefined;

  constructor(private readonly tool: ToolDefinition) {
    this.name = wordsOf(localName(tool)).join(' ');
  }

  get source(): string {
    return this.tool.source;
  }

  /** The distinct words of the description, without numbers and copy words; computed on first use. */
  get words(): ReadonlySet<string> {
    this.#words ??= new Set(wordsOf(this.tool.description.slice(0, MAX_COMPARED_CHARS)));
    return this.#words;
  }
}

/**
 * Whether two tools of one source are near-copies: their names differ only in numbers and words like "copy", and their
 * descriptions share at least 80 % of their distinct words. Siblings (`get_user`, `get_users`) are not copies: every
 * other word of a name counts.
 */
export function isNearCopy(a: CopyMarks, b: CopyMarks): boolean {
  if (a.source !== b.source || a.name !== b.name) return false;
  let shared = 0;
  for (const word of a.words) if (b.words.has(word)) shared += 1;
  const all = a.words.size + b.words.size - shared;
  return all === 0 || shared / all >= MIN_SIMILARITY;
}

function wordsOf(text: string): string[] {
  const words = text.replace(NUMBER, ' ').toLowerCase().match(WORD) ?? [];
  return words.filter((word) => !COPY_WORDS.has(word));
}
