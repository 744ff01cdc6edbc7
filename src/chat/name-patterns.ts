import { type Evidence, type Finding, type Slot, stems } from './slot.js';
import type { TextValue } from './text-values.js';

/** Words for arguments that hold a pattern. */
export const PATTERNS = stems('pattern glob');

/** Labels of a value that is a thing's name. */
export const NAMED: ReadonlySet<string> = new Set(['name', 'title']);

const ENDINGS: Readonly<Record<string, string>> = {
  markdown: 'md',
  text: 'txt',
  javascript: 'js',
  typescript: 'ts',
  python: 'py',
  ...Object.fromEntries(
    'md txt json csv yaml yml xml html pdf log png jpg svg js ts py'.split(' ').map((end) => [end, end]),
  ),
};

/**
 * A pattern for what is called something, or for files of a kind: "files named welcome", "markdown files". Where the tool
 * speaks of globs a plain name becomes one, anywhere and in part.
 */
export function patternFor(slot: Slot, free: readonly TextValue[], evidence: Evidence): Finding | undefined {
  const { description, request } = evidence;
  const isGlob = /\bglob/i.test(`${description} ${JSON.stringify(slot.schema)}`);
  const named = free.find(({ label = '' }) => NAMED.has(label));
  if (named) {
    const isPlain = isGlob && !/[*?[\]{}/]/.test(named.text);
    return { value: isPlain ? `**/*${named.text}*` : named.text, uses: [named] };
  }
  const kind = /\b(\w+)\s+(?:files?|documents?)\b/i.exec(request.text)?.[1]?.toLowerCase() ?? '';
  const isFree = !free.some((value) => value.kind === 'pattern' || value.kind === 'quoted');
  const ending = Object.hasOwn(ENDINGS, kind) ? ENDINGS[kind] : undefined;
  return isGlob && isFree && ending !== undefined ? { value: `**/*.${ending}`, words: kind } : undefined;
}
