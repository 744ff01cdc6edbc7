import type { ToolDefinition } from '../../tool/tool-definition.js';
import { localName } from './tool-text.js';

/** Words that a name gets when its tool is multiplied. */
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

// A number, with single letters that touch it: all of `v2` and `a1b2`, the `2` of `email2`.
const NUMBER = /(?<!\p{L})\p{L}?\p{N}+(?:\p{L}?\p{N}+)*(?:\p{L}(?!\p{L}))?|\p{N}+/gu;
const WORD = /\p{L}+/gu;
const MIN_SIMILARITY = 0.8;
const MAX_COMPARED_CHARS = 500;

/** What is compared of two tools to tell whether one is a copy of the other. */
export class CopyMarks {
  /** The words of the tool's name, without numbers and words for copies. */
  readonly name: string;
  #words: ReadonlySet<string> | undefined;

  constructor(private readonly tool: ToolDefinition) {
    this.name = wordsOf(localName(tool)).join(' ');
  }

  get source(): string {
    return this.tool.source;
  }

  /** The distinct words of its description, likewise; worked out when somebody asks. */
  get words(): ReadonlySet<string> {
    this.#words ??= new Set(wordsOf(this.tool.description.slice(0, MAX_COMPARED_CHARS)));
    return this.#words;
  }
}

/**
 * Whether two tools of one source differ in nothing but numbers and words like "copy" in their names, and by hardly a word in
 * their descriptions. Siblings (`get_user`, `get_users`) are no copies: every other word of a name counts.
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
