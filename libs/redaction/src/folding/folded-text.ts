/** A part of `[start, end)` in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A place where a folded text is longer or shorter than its original: `size` characters at `at` stand for `[from, to)`. */
interface Edit {
  readonly at: number;
  readonly size: number;
  readonly from: number;
  readonly to: number;
}

/** A text in one spelling, and where each part of it stands in the text that it was made from. */
export class FoldedText {
  constructor(
    readonly text: string,
    private readonly edits: readonly Edit[],
  ) {}

  /** Where a part of the folded text stands in the original. What was dropped before and behind it is not included. */
  spanOf({ start, end }: Span): Span {
    return { start: this.#placeOf(start).start, end: this.#placeOf(Math.max(start, end - 1)).end };
  }

  /** Where one character of the folded text stands in the original. */
  #placeOf(at: number): Span {
    const edit = this.#editAt(at);
    if (!edit) return { start: at, end: at + 1 };
    if (at < edit.at + edit.size) return { start: edit.from, end: edit.to };
    const start = edit.to + at - edit.at - edit.size;
    return { start, end: start + 1 };
  }

  /** The last edit that is not behind a place. */
  #editAt(at: number): Edit | undefined {
    let [low, high] = [0, this.edits.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.edits[middle]?.at ?? Infinity) <= at) low = middle + 1;
      else high = middle;
    }
    return this.edits[low - 1];
  }
}

/** Makes a folded text from the original, replacement by replacement. */
export class FoldedTextBuilder {
  readonly #edits: Edit[] = [];
  #text = '';
  #from = 0;

  constructor(private readonly original: string) {}

  /** Where the part of the original ends that is done. */
  get done(): number {
    return this.#from;
  }

  /** The length of the folded text so far. */
  get length(): number {
    return this.#text.length;
  }

  /** Puts a text in the place of a part of the original; what stands before the part is kept. */
  replace({ start, end }: Span, text: string): void {
    this.keepUntil(start);
    if (text.length !== end - start)
      this.#edits.push({ at: this.#text.length, size: text.length, from: start, to: end });
    this.#text += text;
    this.#from = end;
  }

  /** Drops a part of the original that belongs to the character before it. */
  absorb({ start, end }: Span): void {
    this.keepUntil(start);
    // What was dropped between the two belongs to them.
    let from: number | undefined;
    for (let dropped = this.#edits.at(-1); dropped?.size === 0 && dropped.at === this.#text.length;) {
      from = dropped.from;
      this.#edits.pop();
      dropped = this.#edits.at(-1);
    }
    const last = this.#edits.at(-1);
    if (last && last.size > 0 && last.at + last.size === this.#text.length) {
      this.#edits[this.#edits.length - 1] = { ...last, to: end };
    } else this.#edits.push({ at: this.#text.length - 1, size: 1, from: (from ?? start) - 1, to: end });
    this.#from = end;
  }

  /** Takes over the original up to a place. */
  keepUntil(end: number): void {
    this.#text += this.original.slice(this.#from, end);
    this.#from = end;
  }

  build(): FoldedText {
    this.keepUntil(this.original.length);
    return new FoldedText(this.#text, this.#edits);
  }
}
