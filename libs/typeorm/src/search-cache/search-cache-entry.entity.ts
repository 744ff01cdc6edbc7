import { Column, Entity, PrimaryColumn } from 'typeorm';
import { epochMillis } from '../database/transformers.js';

/** One write of a search cache entry, complete or not. Its bytes are in its parts. */
@Entity('tool_search_cache_entries')
export class SearchCacheEntryEntity {
  /** Random for each write, so that two writers of the same entry never mix their parts. */
  @PrimaryColumn('text') readonly generation: string;
  @Column('text') readonly kind: string;
  @Column('text') readonly id: string;
  /** Set last: only complete entries are read. */
  @Column('boolean') readonly complete: boolean;
  @Column('integer') readonly parts: number;
  /** Total size of all parts in bytes. */
  @Column('integer') readonly length: number;
  /** SHA-256 (hex) of all bytes. */
  @Column('text') readonly checksum: string;
  /** Time of the first write, then time of completion; always later than every earlier entry of the same kind. */
  @Column('bigint', { name: 'written_at', transformer: epochMillis }) readonly writtenAt: number;
}
