import { type InstructionRule, stepsOf } from './rules/instruction-rule.js';
import { Lexicon } from './words/lexicon.js';

/** One step of one row, as it waits for its word. */
interface Step {
  /** Place among the steps of all rows; rows that begin alike share their first steps. */
  readonly place: number;
  /** Place of the step before it in its row, -1 for the first one. */
  readonly before: number;
  /** Words from the step before it, at most. */
  readonly reach: number;
  readonly spread: boolean;
}

/**
 * What a word means to all rules: the steps it may take, later steps of a row before earlier ones. Four numbers for each, as
 * every word of every text comes by here: place, place before (-1), reach, and 1 for a step of a spread phrase.
 */
export type Sense = Int32Array;

/** Phrases of all rules as one automaton: one look at each word, whatever the number of rules. */
export class PhraseMatcher {
  readonly lexicon = new Lexicon();
  readonly #steps = new Map<number, Step[]>();
  /** What is found when a step is taken, by its place; nothing but for the last one of a row. */
  readonly #completes: (InstructionRule | undefined)[] = [];
  /** Position at which each step was last taken. */
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

  /** Sense of a word by the numbers of what it may stand for. */
  senseOf(numbers: Iterable<number>): Sense {
    const steps = [...numbers].flatMap((number) => this.#steps.get(number) ?? []);
    const ordered = [...new Set(steps)].sort((a, b) => b.place - a.place);
    return Int32Array.from(
      ordered.flatMap(({ place, before, reach, spread }) => [place, before, reach, spread ? 1 : 0]),
    );
  }

  /** Takes the next word; the rule whose phrase it completes, or undefined. */
  take(sense: Sense): InstructionRule | undefined {
    this.#near += 1;
    this.#far += 1;
    return this.mark(sense);
  }

  /** As `take`, for what stands at the same place as the word before. */
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

  /** Passes words that mean nothing to any rule. */
  skip(words: number): void {
    this.#near += words;
    this.#far += words;
  }

  /** A sentence, or a field, is over. */
  pause(): void {
    this.#near += 1;
    this.#far += 100;
  }

  /** Where the spread phrases stand: what is read until they are set back is not in their way. */
  get near(): number {
    return this.#near;
  }

  set near(position: number) {
    this.#near = position;
  }

  /** Nothing that was said before counts any more; what follows belongs to a tool that says this of its purpose. */
  reset(subject: () => string = () => ''): void {
    this.#subject = subject;
    this.#near += 100;
    this.#far += 100;
  }

  /** Where the reading stands; the answer goes on from there, whatever has been read meanwhile. */
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
