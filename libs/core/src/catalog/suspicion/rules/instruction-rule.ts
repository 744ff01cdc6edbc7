/**
 * A class of hidden instructions. A phrase is a sequence of concepts: a word class (`IGNORE`), a literal word (`above`,
 * `recommend*`), a mark of the reader (`%url`), or alternatives of these with `|`. `~n` allows up to n other words
 * between two concepts; without it they must be adjacent. Braces `{A B C}~2` allow any order.
 */
export interface InstructionRule {
  /** Stable id, used in documents and events. */
  readonly id: string;
  /** The effect of such a text, in words that complete "the description …". */
  readonly reason: string;
  /** Phrases within one sentence. */
  readonly phrases: readonly string[];
  /** Phrases that may extend over consecutive sentences or fields. */
  readonly spread?: readonly string[];
  /** Purposes (name, title, description in lower case) for which such texts are legitimate; without the flag `g`. */
  readonly unless?: RegExp;
}

interface Step {
  /** Maximum number of other words before it; not used for the first step. */
  readonly gap: number;
  readonly choices: readonly string[];
}

/** The sequences of steps that a phrase stands for; several only for a phrase with braces. */
export function stepsOf(phrase: string): readonly (readonly Step[])[] {
  const free = /^\{(.+)\}~(\d+)$/.exec(phrase);
  if (free) return orders((free[1] ?? '').split(' ')).map((row) => row.map((word) => step(word, Number(free[2]))));
  const steps: Step[] = [];
  let gap = 0;
  for (const part of phrase.split(' ')) {
    if (part.startsWith('~')) {
      gap = Number(part.slice(1));
    } else {
      steps.push(step(part, gap));
      gap = 0;
    }
  }
  return [steps];
}

function step(word: string, gap: number): Step {
  return { gap, choices: word.split('|') };
}

function orders(words: readonly string[]): string[][] {
  if (words.length <= 1) return [[...words]];
  return words.flatMap((first, at) => orders(words.toSpliced(at, 1)).map((rest) => [first, ...rest]));
}
