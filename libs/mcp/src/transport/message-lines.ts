import { parsedJson } from '@tool-search/core/internal';

const LINE_FEED = 10;

/** Cuts the output of a child process into the JSON values of its lines. What is no JSON is left out. */
export class MessageLines {
  #parts: Buffer[] = [];
  #bytes = 0;

  constructor(private readonly maxBytes: number) {}

  /**
   * The values of the lines that a chunk completes.
   *
   * @throws Error if a line has more bytes than allowed
   */
  *read(chunk: Buffer): Generator<unknown> {
    let from = 0;
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, from)) {
      const line = this.#line(chunk.subarray(from, at));
      from = at + 1;
      const value = parsedJson(line);
      if (value !== undefined) yield value;
    }
    if (from < chunk.length) this.#keep(chunk.subarray(from));
  }

  clear(): void {
    this.#parts = [];
    this.#bytes = 0;
  }

  #line(end: Buffer): string {
    this.#keep(end);
    const line = Buffer.concat(this.#parts).toString('utf8');
    this.clear();
    return line;
  }

  #keep(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes > this.maxBytes) {
      this.clear();
      throw new Error(`a line of the server has more than ${this.maxBytes} bytes`);
    }
    this.#parts.push(part);
  }
}
