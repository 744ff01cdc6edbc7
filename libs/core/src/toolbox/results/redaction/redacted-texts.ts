import { isJsonText, type JsonLiteral, literalsOf, withLiterals } from './json-texts.js';
import type { ResultText } from './result-redactor.js';

/** JSON inside of strings of JSON is taken apart up to this depth; deeper, it is a text like any other. */
const MAX_DEPTH = 4;

interface Taken {
  readonly json: string;
  readonly literals: readonly JsonLiteral[];
  readonly inner: readonly (Taken | undefined)[];
}

/** Takes texts apart into what a redactor reads, and puts them together again from what it returns. */
export class RedactedTexts {
  /** The texts for the redactor, in order. */
  readonly texts: ResultText[] = [];
  readonly #taken: (Taken | undefined)[] = [];

  /** Adds a text. JSON is taken apart. May be paused at each `yield`. */
  *add(text: string): Generator<undefined> {
    this.#taken.push(yield* this.#take({ text, key: '' }, 0));
  }

  *#take(given: ResultText, depth: number): Generator<undefined, Taken | undefined> {
    if (depth >= MAX_DEPTH || !isJsonText(given.text)) {
      this.texts.push(given);
      return undefined;
    }
    const literals = yield* literalsOf(given.text);
    const inner: (Taken | undefined)[] = [];
    for (const [index, literal] of literals.entries()) {
      if (literal.kind === 'string') inner.push(yield* this.#take(literal, depth + 1));
      else {
        inner.push(undefined);
        this.texts.push(literal);
      }
      if (index % 1000 === 999) yield;
    }
    return { json: given.text, literals, inner };
  }

  /** The added texts, in order, with what the redactor returned for {@link texts}. */
  rebuilt(returned: readonly string[]): readonly string[] {
    let next = 0;
    const build = (taken: Taken | undefined): string =>
      taken === undefined ? (returned[next++] ?? '') : withLiterals(taken.json, taken.literals, taken.inner.map(build));
    return this.#taken.map(build);
  }
}
