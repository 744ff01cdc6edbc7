import { isReadableIn } from './encodings.js';

/** What anybody but a server has seen, and where a credential could be read in it. */
export class Transcript {
  /** Labels of the texts in which it can be read. */
  readonly leaks: string[] = [];
  /** How many texts say that a credential was removed. */
  removals = 0;

  /** @param sought a part of the credential that no other text has */
  constructor(private readonly sought: string) {}

  add(label: string, text: string): void {
    if (text.includes('[removed]')) this.removals++;
    if (isReadableIn(text, this.sought)) this.leaks.push(label);
  }
}
