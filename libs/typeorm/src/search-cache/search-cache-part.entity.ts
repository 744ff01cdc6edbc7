import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { SearchCacheEntryEntity } from './search-cache-entry.entity.js';

/** A part of a search cache entry. Deleted together with its entry, so it is never orphaned. */
export abstract class SearchCachePartEntity {
  @PrimaryColumn('text') readonly generation: string;
  /** Starts at 0. */
  @PrimaryColumn('integer') readonly part: number;

  abstract readonly bytes: Uint8Array;
}

const NAME = 'tool_search_cache_parts';
const KEY = ['generation'] as const;
const foreignKey = { name: 'fk_tool_search_cache_parts_entry' };

/** {@link SearchCachePartEntity} on SQLite. The databases have no common type name for bytes. */
@Entity(NAME)
@ForeignKey(() => SearchCacheEntryEntity, KEY, KEY, foreignKey)
export class SqliteSearchCachePartEntity extends SearchCachePartEntity {
  @Column('blob') readonly bytes: Uint8Array;
}

/** {@link SearchCachePartEntity} on PostgreSQL. */
@Entity(NAME)
@ForeignKey(() => SearchCacheEntryEntity, KEY, KEY, foreignKey)
export class PostgresSearchCachePartEntity extends SearchCachePartEntity {
  @Column('bytea') readonly bytes: Uint8Array;
}
