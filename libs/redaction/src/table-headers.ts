interface Line {
  readonly start: number;
  readonly end: number;
  /** Where the first line of the table starts; the line itself in the first one. */
  readonly head: number;
  readonly delimiter: string;
}

const DELIMITERS = ['\t', '|', ';', ','];
const CODES = DELIMITERS.map((delimiter) => delimiter.charCodeAt(0));
/** Longer lines are no rows of a table, and longer texts are not read as tables. */
const MAX_LINE_CHARS = 4000;
const MAX_TEXT_CHARS = 2_000_000;
const MAX_CELLS = 64;
/** Characters between two pauses. */
const STEP_CHARS = 16_384;
const MAX_HEAD_CHARS = 2000;

/** The heads of the columns of a text. */
export interface Columns {
  /** The head of the column at a place of the text, in lower case; `''` outside of tables. */
  of(at: number): string;
  /** The cells below the heads that match: `[start, end)` without blanks and quotes. */
  below(head: RegExp): Iterable<{ readonly start: number; readonly end: number }>;
}

/**
 * The first lines of tables in a text: consecutive lines with the same number of the same delimiter, as in CSV and
 * Markdown. One pass over the text; looking up places in the order of the text is a second one.
 */
export class TableHeaders implements Columns {
  readonly #lines: Line[] = [];
  readonly #heads = new Map<number, readonly string[]>();
  #cursor = { line: 0, place: 0, column: 0 };

  private constructor(private readonly text: string) {}

  /** Reads the lines of a text. May be paused at each `yield`. */
  static *read(text: string): Generator<undefined, TableHeaders> {
    const headers = new TableHeaders(text);
    if (text.length > MAX_TEXT_CHARS || !text.includes('\n')) return headers;
    let counts: readonly number[] = [];
    let open: { readonly head: number; readonly delimiter: string; readonly count: number } | undefined;
    let previous = 0;
    let paused = 0;
    for (let start = 0; start < text.length;) {
      const found = text.indexOf('\n', start);
      const end = found < 0 ? text.length : found;
      const own = countsOf(text, start, end);
      if (!open || own[DELIMITERS.indexOf(open.delimiter)] !== open.count) {
        const at = DELIMITERS.findIndex((_, index) => (own[index] ?? 0) > 0 && own[index] === counts[index]);
        open = at < 0 ? undefined : { head: previous, delimiter: DELIMITERS[at] ?? ',', count: own[at] ?? 0 };
      }
      if (open) headers.#lines.push({ start, end, head: open.head, delimiter: open.delimiter });
      counts = own;
      previous = start;
      start = end + 1;
      if (start - paused > STEP_CHARS) {
        paused = start;
        yield;
      }
    }
    return headers;
  }

  /** Whether a place of the text is in a line of a table. */
  hasRow(at: number): boolean {
    return this.#lineAt(at) !== undefined;
  }

  of(at: number): string {
    const line = this.#lineAt(at);
    if (!line) return '';
    const known = this.#cursor;
    let { place, column } = known.line === line.start && known.place <= at ? known : { place: line.start, column: 0 };
    for (; place < at; place += 1) if (this.text[place] === line.delimiter) column += 1;
    this.#cursor = { line: line.start, place, column };
    return this.#headOf(line)[column] ?? '';
  }

  *below(head: RegExp): Generator<{ readonly start: number; readonly end: number }> {
    const matching = new Map<number, readonly boolean[]>();
    for (const line of this.#lines) {
      const heads = matching.get(line.head) ?? this.#headOf(line).map((text) => head.test(text));
      matching.set(line.head, heads);
      if (!heads.includes(true)) continue;
      let start = line.start;
      for (let column = 0; column < heads.length && start <= line.end; column += 1) {
        const found = this.text.indexOf(line.delimiter, start);
        const end = found < 0 || found > line.end ? line.end : found;
        if (heads[column]) yield this.#trimmed(start, end);
        start = end + 1;
      }
    }
  }

  #trimmed(start: number, end: number) {
    let [from, to] = [start, end];
    while (from < to && /[\s"'`]/.test(this.text.charAt(from))) from += 1;
    while (to > from && /[\s"'`]/.test(this.text.charAt(to - 1))) to -= 1;
    return { start: from, end: to };
  }

  #headOf(line: Line): readonly string[] {
    let head = this.#heads.get(line.head);
    if (!head) {
      const text = this.text.slice(line.head, line.head + MAX_HEAD_CHARS).split('\n', 1)[0] ?? '';
      head = text
        .split(line.delimiter, MAX_CELLS)
        .map((cell) => (cell.length > 40 ? '' : cell.trim().replaceAll('_', ' ').toLowerCase()));
      this.#heads.set(line.head, head);
    }
    return head;
  }

  #lineAt(at: number): Line | undefined {
    let [low, high] = [0, this.#lines.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const line = this.#lines[middle];
      if (!line || at < line.start) high = middle - 1;
      else if (at > line.end) low = middle + 1;
      else return line;
    }
    return undefined;
  }
}

function countsOf(text: string, start: number, end: number): readonly number[] {
  const counts = [0, 0, 0, 0];
  if (end - start > MAX_LINE_CHARS) return counts;
  for (let at = start; at < end; at += 1) {
    const kind = CODES.indexOf(text.charCodeAt(at));
    if (kind >= 0) counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}
