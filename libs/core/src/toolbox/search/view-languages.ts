import { countLanguages, isLanguage } from '../../search/text/languages.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { ToolView } from '../tool-views.js';

/** Tools of a view that are read, spread evenly over it. */
const MAX_READ = 100;
const MAX_CHARS = 300;
/** Words that show a language; fewer may be quotations. */
const MIN_WORDS = 5;
/** So many times the words of any other language. */
const CLEAR = 2;

/** A run that keeps the language in which its models search. */
export interface LanguageKeeper {
  /** A tag of BCP 47; undefined before one was clear. */
  language?: string | undefined;
}

interface Counted {
  /** Words for each language. */
  readonly words: ReadonlyMap<string, number>;
  /** The language with a clear majority of the words; undefined without one. */
  readonly clear: string | undefined;
}

/**
 * The language in which the tools of a view are described, so that models ask in it. Found from these tools alone: hidden
 * tools and other callers change no text. A run keeps a language while its tools have words of it and no other one has a
 * clear majority, so that a new tool does not change the texts of a conversation.
 */
export class ViewLanguages {
  readonly #ofViews = new WeakMap<ToolView, Counted>();

  /** @param given the option `search.language`; it is then used for every view */
  constructor(private readonly given?: string) {}

  /**
   * A tag of BCP 47; empty if it is not clear.
   *
   * @param run keeps the language for the next view of the same run. @default the language follows from this view alone
   */
  of(view: ToolView, run?: LanguageKeeper): string {
    if (this.given !== undefined) return this.given;
    let counted = this.#ofViews.get(view);
    if (!counted) this.#ofViews.set(view, (counted = countedIn(view)));
    const { words, clear } = counted;
    const kept = run?.language;
    const language = clear ?? (kept !== undefined && words.has(kept) ? kept : undefined);
    if (run) run.language = language;
    return language ?? '';
  }
}

/** Whether a text is a language tag of BCP 47. */
export function isLanguageTag(given: unknown): boolean {
  try {
    return typeof given === 'string' && given.length <= 35 && Intl.getCanonicalLocales(given).length === 1;
  } catch {
    return false;
  }
}

// Expensive to make, and asked for at each step of a run.
const names = new Intl.DisplayNames(['en'], { type: 'language' });

/** Name of a language in English; undefined for an empty tag. */
export function languageName(tag: string): string | undefined {
  return tag === '' ? undefined : names.of(tag);
}

// Views share definitions, and may be made for each request.
const countsOf = new WeakMap<ToolDefinition, ReadonlyMap<string, number>>();

function countedIn(view: ToolView): Counted {
  const tools = view.tools();
  const step = Math.max(1, Math.ceil(tools.length / MAX_READ));
  const words = new Map<string, number>();
  for (const tool of tools.filter((_, at) => at % step === 0)) {
    for (const [key, count] of countsIn(tool)) words.set(key, (words.get(key) ?? 0) + count);
  }
  const [best, second] = [...words].sort(([, a], [, b]) => b - a);
  const isClear = best && isLanguage(best[0]) && best[1] >= MIN_WORDS && best[1] >= CLEAR * (second?.[1] ?? 0);
  return { words, clear: isClear ? best[0] : undefined };
}

function countsIn(tool: ToolDefinition): ReadonlyMap<string, number> {
  let counts = countsOf.get(tool);
  if (!counts) countsOf.set(tool, (counts = countLanguages(tool.description.slice(0, MAX_CHARS))));
  return counts;
}
