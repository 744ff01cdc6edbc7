import type { RequestId } from '@modelcontextprotocol/server';
import { keepsWholeNumbers } from '@tool-search/core/source';

/** Requests that are noted before a server handles them; the SDK hands over no text, so it is read beside the SDK. */
const MAX_NOTED = 1000;

/**
 * Reads the lines of a connection once more, to know of which requests no whole number was rounded. The SDK turns each
 * chunk into messages at once, so the messages between two chunks are those of the lines that the first one ended.
 */
export class ExactLines {
  readonly #noted = new Set<RequestId>();
  #rest = '';
  #isExact = true;

  /** Reads a chunk; call it before the SDK reads it. */
  read(chunk: Buffer | string): void {
    // One byte, one character: the signs of JSON are ASCII, and a chunk may end within any other character.
    const lines = (this.#rest + (typeof chunk === 'string' ? chunk : chunk.toString('latin1'))).split('\n');
    this.#rest = lines.pop() ?? '';
    this.#isExact = lines.every(keepsWholeNumbers);
  }

  /** Notes a request of the last chunk. */
  note(id: RequestId): void {
    if (this.#isExact && this.#noted.size < MAX_NOTED) this.#noted.add(id);
    else this.#noted.delete(id);
  }

  /** Whether a request is noted as exact. Forgets it. */
  take(id: RequestId): boolean {
    return this.#noted.delete(id);
  }
}
