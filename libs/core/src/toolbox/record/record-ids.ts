import { randomBytes } from 'node:crypto';

/** Creates ids of records: time, a counter that begins again after 65,536 ids, and 64 random bits of the process. */
export class RecordIds {
  readonly #process = randomBytes(8).toString('hex');
  #count = 0;

  /** A new id. Unique unless a process makes more than 65,536 of one millisecond. */
  next(at: number): string {
    this.#count = (this.#count + 1) & 0xffff;
    return `${at.toString(16).padStart(12, '0')}${this.#count.toString(16).padStart(4, '0')}${this.#process}`;
  }
}
