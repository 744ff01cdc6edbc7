import { Transform, type TransformCallback } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { checkJsonBody } from '@tool-search/core';
import { isObject, parsedJson } from '@tool-search/core/internal';
import { keepsWholeNumbers } from '@tool-search/core/source';
import { soundRequest } from '../http/sound-request.js';

/** Longer lines are passed on as they are: the transport behind it refuses them. */
const MAX_CHARS = 10 * 1024 * 1024;

/** Lines of messages of a client, each checked and mended as a request over HTTP is. */
export class RequestLines extends Transform {
  /** Gets each message that is out of bounds, in place of the transport behind, and why. */
  refused: (message: Readonly<Record<string, unknown>>, error: unknown) => void = () => undefined;
  readonly #decoder = new StringDecoder('utf8');
  #rest = '';

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    const lines = (this.#rest + this.#decoder.write(chunk)).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#passOn(line);
    if (this.#rest.length > MAX_CHARS) {
      this.push(this.#rest);
      this.#rest = '';
    }
    done();
  }

  override _flush(done: TransformCallback): void {
    if (this.#rest !== '') this.push(this.#rest);
    done();
  }

  #passOn(line: string): void {
    const message = parsedJson(line);
    try {
      this.push(`${isObject(message) ? mendedLine(line, message) : line}\n`);
    } catch (error) {
      this.refused(isObject(message) ? message : {}, error);
    }
  }
}

/** @throws ToolSearchError for a message that is out of bounds, or has the same key twice in an object */
function mendedLine(line: string, message: Record<string, unknown>): string {
  checkJsonBody(line);
  // Written anew, a rounded number would look exact.
  if (!keepsWholeNumbers(line)) return line;
  const mended = soundRequest(message);
  return mended === message ? line : JSON.stringify(mended);
}
