import { Column, Entity, PrimaryColumn } from 'typeorm';
import { epochMillis } from '../database/transformers.js';

/** A registered source. Its row is the lock for its definitions. */
@Entity('tool_search_definition_sources')
export class DefinitionSourceEntity {
  /** SHA-256 (hex) of owner and name, so that the index does not depend on their length and characters. */
  @PrimaryColumn('text') readonly id: string;
  /** JSON-encoded, quotes included. `""` = shared by all tenants. */
  @Column('text') readonly owner: string;
  /** JSON-encoded, quotes included. */
  @Column('text') readonly source: string;
  /** Starts from the clock, so that a source that was forgotten and registered again gets a different revision. */
  @Column('bigint', { transformer: epochMillis }) readonly revision: number;
}
