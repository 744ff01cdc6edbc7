/**
 * What a class of hidden instructions sounds like. A phrase is a row of concepts: a class of words (`IGNORE`), a literal word
 * (`above`, `recommend*`), a mark of the reader (`%url`), or a choice of those with `|`. Between two of them stand at most as
 * many other words as `~n` says, none without it. Braces `{A B C}~2` allow every order.
 */
export interface InstructionRule {
  /** Stable, for documents and events. */
  readonly id: string;
  /** What such a text does, in words that complete "the description …". */
  readonly reason: string;
  /** Phrases within one sentence. */
  readonly phrases: readonly string[];
  /** Phrases that count as well when they are spread over sentences or fields that follow each other. */
  readonly spread?: readonly string[];
  /** Purposes (name, title and description of the tool, in lower case) to which all this belongs; not global. */
  readonly unless?: RegExp;
}

/** One concept of a phrase. */
interface Step {
  /** Most other words before it; not asked of the first step. */
  readonly gap: number;
  readonly choices: readonly string[];
}

/** The rows of steps that a phrase stands for; several only where the order is free. */
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
