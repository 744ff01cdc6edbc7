import type { Columns } from './table-headers.js';

/** How many characters before a value can say what it is. */
const LABEL_CHARS = 52;

/** A text, and what stands around a value in it: the label before it, the name of its member, the head of its column. */
export class TextView {
  readonly #key: string;

  /** @param key the name of the member of JSON that holds the text */
  constructor(
    readonly text: string,
    readonly headers: Columns,
    key = '',
  ) {
    this.#key = words(key);
  }

  /** The name of the member, in words: `bankAccount_no` is `bank account no`. */
  get key(): string {
    return this.#key;
  }

  /** Everything that says what the value at `start` is, in lower case. @param after where the last other value ended */
  labelOf(start: number, after = 0): string {
    const before = this.text.slice(Math.max(after, start - LABEL_CHARS), start);
    const line = before.slice(before.lastIndexOf('\n') + 1);
    // A label may stand on the line above its value, but nothing else may.
    const own = line.trim() === '' ? before : line;
    return `${this.#key} ${this.headers.of(start)} ${words(own)}`;
  }
}

/** Words of an identifier or a text in lower case: `steuerId` becomes `steuer id`. */
export function words(text: string): string {
  return text
    .slice(0, 200)
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
}
