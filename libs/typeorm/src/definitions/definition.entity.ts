import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { epochMillis } from '../database/transformers.js';
import { DefinitionSourceEntity } from './definition-source.entity.js';

/** An accepted tool definition of a source. Deleted together with its source. */
@Entity('tool_search_definitions')
@ForeignKey(() => DefinitionSourceEntity, ['sourceId'], ['id'], {
  name: 'fk_tool_search_definitions_source',
  onDelete: 'CASCADE',
})
@Index('ix_tool_search_definitions_listed', ['sourceId', 'listed', 'acceptedAt'])
export class DefinitionEntity {
  @PrimaryColumn('text', { name: 'source_id' }) readonly sourceId: string;
  /** SHA-256 (hex) of the tool's own name. */
  @PrimaryColumn('text', { name: 'tool_id' }) readonly toolId: string;

  /**
   * The tool's own name, JSON-encoded, quotes included: a name from outside may hold characters that a database
   * rejects.
   */
  @Column('text') readonly tool: string;
  @Column('text') readonly fingerprint: string;
  /** JSON array of JSON pointers. */
  @Column('text') readonly volatile: string;
  @Column('boolean') readonly listed: boolean;
  @Column('bigint', { name: 'accepted_at', transformer: epochMillis }) readonly acceptedAt: number;
  /** JSON; always read and written as a whole. */
  @Column('text') readonly origin: string;
}
