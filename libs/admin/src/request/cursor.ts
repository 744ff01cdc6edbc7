import { ToolSearchError } from '@tool-search/core';
import { unsafeText } from './unsafe-text.js';

/** Encodes and decodes page cursors of one list. */
export class Cursor<Place> {
  constructor(
    private readonly list: string,
    private readonly isPlace: (value: unknown) => value is Place,
  ) {}

  /** Encodes a place as opaque text. */
  write(place: Place): string {
    return Buffer.from(JSON.stringify([this.list, place])).toString('base64url');
  }

  /** Decodes a place; undefined for the first page. @throws ToolSearchError `INVALID_REQUEST` */
  read(cursor: string | undefined): Place | undefined {
    if (cursor === undefined) return undefined;
    const [list, place] = parsed(cursor);
    if (list === this.list && this.isPlace(place) && unsafeText(place) === undefined) return place;
    throw new ToolSearchError('INVALID_REQUEST', 'The request is not valid: cursor is none of this list.', {
      hint: 'Send the `next` of the page before, or no cursor for the first page.',
    });
  }
}

/** Checks the cursor of a list ordered by a number. */
export const isNumber = (value: unknown): value is number => Number.isSafeInteger(value);

/** Checks the cursor of a list ordered by a text. */
export const isText = (value: unknown): value is string => typeof value === 'string';

function parsed(cursor: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
