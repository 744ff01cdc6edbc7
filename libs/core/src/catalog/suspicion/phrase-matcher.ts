import { type InstructionRule, stepsOf } from './rules/instruction-rule.js';
import { Lexicon } from './words/lexicon.js';

interface Step {
  /** Index among the steps of all rows; rows with the same beginning share their first steps. */
  readonly place: number;
  /** Index of the previous step in its row, -1 for the first step. */
  readonly before: number;
  /** Maximum distance from the previous step, in words. */
  readonly reach: number;
  readonly spread: boolean;
}

/**
 * The steps that a word may complete, later steps of a row before earlier ones. Packed as four numbers per step,
 * because every word of every text is looked up: index, index of the previous step (-1 if none), reach, and 1 for a
 * step of a spread phrase.
 */
export type Sense = Int32Array;

/** The phrases of all rules as one automaton: one lookup per word, independent of the number of rules. */
export class PhraseMatcher {
  readonly lexicon = new Lexicon();
  readonly #steps = new Map<number, Step[]>();
  /** The rule that a step completes, by the step's index; undefined unless it is the last step of a row. */
  readonly #completes: (InstructionRule | undefined)[] = [];
  readonly #taken: Float64Array;
  readonly #shared = new Map<string, Step>();
  #near = 0;
  #far = 0;
  #subject: () => string = () => '';

  constructor(rules: readonly InstructionRule[]) {
    for (const rule of rules) {
      for (const [phrases, spread] of [[rule.phrases, false] as const, [rule.spread ?? [], true] as const]) {
        for (const row of phrases.flatMap(stepsOf)) this.#addRow(row, spread, rule);
      }
    }
    this.#taken = new Float64Array(this.#shared.size).fill(-Infinity);
  }

  /** The sense of a word, from the numbers of the concepts it may stand for. */
  senseOf(numbers: Iterable<number>): Sense {
    const steps = [...numbers].flatMap((number) => this.#steps.get(number) ?? []);
    const ordered = [...new Set(steps)].sort((a, b) => b.place - a.place);
    return Int32Array.from(
      ordered.flatMap(({ place, before, reach, spread }) => [place, before, reach, spread ? 1 : 0]),
    );
  }

  /** Advances by one word. Returns the rule whose phrase it completes, or undefined. */
  take(sense: Sense): InstructionRule | undefined {
    this.#near += 1;
    this.#far += 1;
    return this.mark(sense);
  }

  /** Like `take`, for another sense of the same word. */
  mark(sense: Sense): InstructionRule | undefined {
    let found: InstructionRule | undefined;
    const taken = this.#taken;
    for (let at = 0; at < sense.length; at += 4) {
      const before = sense[at + 1] as number;
      const position = sense[at + 3] === 1 ? this.#near : this.#far;
      if (before >= 0 && position - (taken[before] as number) > (sense[at + 2] as number)) continue;
      const place = sense[at] as number;
      taken[place] = position;
      const rule = this.#completes[place];
      if (rule && !found && !rule.unless?.test(this.#subject())) found = rule;
    }
    return found;
  }

  /** Skips words that no rule contains. */
  skip(words: number): void {
    this.#near += words;
    this.#far += words;
  }

  /** Marks the end of a sentence or field. */
  pause(): void {
    this.#near += 1;
    this.#far += 100;
  }

  /** Position for the spread phrases. Setting it back excludes the words read in between from their distances. */
  get near(): number {
    return this.#near;
  }

  set near(position: number) {
    this.#near = position;
  }

  /** Starts a new text: earlier words no longer count. @param subject returns the stated purpose of the tool */
  reset(subject: () => string = () => ''): void {
    this.#subject = subject;
    this.#near += 100;
    this.#far += 100;
  }

  /** Saves the state; the returned function restores it after other texts were read. */
  interrupted(): () => void {
    const taken = this.#taken.slice();
    const [near, far, subject] = [this.#near, this.#far, this.#subject];
    return () => {
      this.#taken.set(taken);
      [this.#near, this.#far, this.#subject] = [near, far, subject];
    };
  }

  #addRow(row: ReturnType<typeof stepsOf>[number], spread: boolean, rule: InstructionRule): void {
    let path = String(spread);
    let before = -1;
    for (const [index, { gap, choices }] of row.entries()) {
      const last = index === row.length - 1;
      path += ` ${index === 0 ? 0 : gap} ${choices.toSorted().join('|')}${last ? ` ${rule.id}` : ''}`;
      let step = this.#shared.get(path);
      if (!step) {
        step = { place: this.#shared.size, before, reach: gap + 1, spread };
        this.#completes.push(last ? rule : undefined);
        this.#shared.set(path, step);
        for (const choice of choices) this.#wait(this.lexicon.numberOf(choice), step);
      }
      before = step.place;
    }
  }

  #wait(number: number, step: Step): void {
    const steps = this.#steps.get(number);
    if (steps) steps.push(step);
    else this.#steps.set(number, [step]);
  }
}
