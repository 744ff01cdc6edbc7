import { Column, Entity, PrimaryColumn } from 'typeorm';
import { epochMillis } from '../database/epoch-millis.js';

/** One written entry of the search cache, complete or not; its bytes are in its parts. */
@Entity('tool_search_cache_entries')
export class SearchCacheEntryEntity {
  /** Random for every writing, so that two writers of one entry never mix their parts. */
  @PrimaryColumn('text')
  readonly generation: string;

  @Column('text')
  readonly kind: string;

  @Column('text')
  readonly id: string;

  /** Set last: only complete entries are read. */
  @Column('boolean')
  readonly complete: boolean;

  @Column('integer')
  readonly parts: number;

  /** Bytes of all parts together. */
  @Column('integer')
  readonly length: number;

  /** SHA-256 (hex) of all bytes. */
  @Column('text')
  readonly checksum: string;

  /** When it was begun, then when it became complete; later than every earlier entry of its kind. */
  @Column('bigint', { name: 'written_at', transformer: epochMillis })
  readonly writtenAt: number;
}
