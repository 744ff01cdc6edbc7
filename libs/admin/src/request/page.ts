import { parsedJson } from '@tool-search/core/internal';
import type { Type } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ToolSearchError } from '@tool-search/core';
import { IsString, MaxLength } from 'class-validator';
import { unsafeText } from './request.pipe.js';
import { IsOptionalButNotNull, OptionalWholeNumber } from './validation.decorators.js';

export class PageQuery {
  @OptionalWholeNumber({ minimum: 1, maximum: 200, default: 50 }, 1, 200) readonly limit: number = 50;

  @ApiPropertyOptional({ description: 'The `next` of the page before.' })
  @IsOptionalButNotNull()
  @IsString()
  @MaxLength(8192)
  readonly cursor?: string;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Cursor of the next page; absent on the last page. */
  readonly next?: string;
}

/** Builds a page. Pass one item more than `limit`: the extra item shows that there is a next page. */
export function pageOf<Item, Place>(
  read: readonly Item[],
  limit: number,
  cursor: Cursor<Place>,
  placeOf: (item: Item) => Place,
): Page<Item> {
  const items = read.slice(0, limit);
  const last = items.at(-1);
  return { items, ...(read.length > limit && last !== undefined && { next: cursor.write(placeOf(last)) }) };
}

/** What a list is asked for: at most `limit` items after a place. */
export interface PageRequest<Place> {
  readonly after?: Place;
  readonly limit: number;
}

/** Reads one page of a list that begins after a place. */
export async function readPage<Item, Place>(
  { limit, cursor: sent }: { readonly limit: number; readonly cursor?: string | undefined },
  cursor: Cursor<Place>,
  placeOf: (item: Item) => Place,
  read: (page: PageRequest<Place>) => Promise<readonly Item[]>,
): Promise<Page<Item>> {
  const after = cursor.read(sent);
  return pageOf(await read({ limit: limit + 1, ...(after !== undefined && { after }) }), limit, cursor, placeOf);
}

export function PageOf<Item>(item: Type<Item>): Type<Page<Item>> {
  class PageAnswer implements Page<Item> {
    @ApiProperty({ type: [item] }) readonly items: readonly Item[];
    @ApiPropertyOptional({ description: 'Where the next page starts; left out on the last one.' })
    readonly next?: string;
  }
  Object.defineProperty(PageAnswer, 'name', { value: `${item.name}Page` });
  return PageAnswer;
}

export class Cursor<Place> {
  constructor(
    private readonly list: string,
    private readonly isPlace: (value: unknown) => value is Place,
  ) {}

  write(place: Place): string {
    return Buffer.from(JSON.stringify([this.list, place])).toString('base64url');
  }

  /** Decodes a place; undefined for the first page. @throws ToolSearchError `INVALID_REQUEST` */
  read(cursor: string | undefined): Place | undefined {
    if (cursor === undefined) return undefined;
    const named = parsedJson(Buffer.from(cursor, 'base64url').toString());
    const [list, place] = Array.isArray(named) ? (named as unknown[]) : [];
    if (list === this.list && this.isPlace(place) && unsafeText(place) === undefined) return place;
    throw new ToolSearchError('INVALID_REQUEST', 'The request is not valid: cursor is none of this list.', {
      hint: 'Send the `next` of the page before, or no cursor for the first page.',
    });
  }
}

export const isNumber = (value: unknown): value is number => Number.isSafeInteger(value);

export const isText = (value: unknown): value is string => typeof value === 'string';
