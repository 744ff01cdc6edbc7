import type { Type } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsString, MaxLength } from 'class-validator';
import { IsOptionalButNotNull } from './optional.decorator.js';
import { WholeNumber } from './whole-number.decorator.js';
import type { Cursor } from './cursor.js';

/** Paging parameters of a list. */
export class PageQuery {
  /** Maximum number of items, 1 to 200. */
  @ApiPropertyOptional({ minimum: 1, maximum: 200, default: 50 })
  @IsOptionalButNotNull()
  @WholeNumber(1, 200)
  readonly limit: number = 50;

  /** The `next` of the previous page. */
  @ApiPropertyOptional({ description: 'The `next` of the page before.' })
  @IsOptionalButNotNull()
  @IsString()
  @MaxLength(8192)
  readonly cursor?: string;
}

/** One page of a list. */
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

/** Creates the OpenAPI class for a page of items. */
export function PageOf<Item>(item: Type<Item>): Type<Page<Item>> {
  class PageAnswer implements Page<Item> {
    @ApiProperty({ type: [item] }) readonly items: readonly Item[];
    @ApiPropertyOptional({ description: 'Where the next page starts; left out on the last one.' })
    readonly next?: string;
  }
  Object.defineProperty(PageAnswer, 'name', { value: `${item.name}Page` });
  return PageAnswer;
}
