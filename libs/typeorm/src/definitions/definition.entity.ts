import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { epochMillis } from '../database/epoch-millis.js';
import { DefinitionSourceEntity } from './definition-source.entity.js';

/** A tool of a source as it was accepted. It goes with its source. */
@Entity('tool_search_definitions')
@ForeignKey(() => DefinitionSourceEntity, ['sourceId'], ['id'], {
  name: 'fk_tool_search_definitions_source',
  onDelete: 'CASCADE',
})
@Index('ix_tool_search_definitions_listed', ['sourceId', 'listed', 'acceptedAt'])
export class DefinitionEntity {
  @PrimaryColumn('text', { name: 'source_id' })
  readonly sourceId: string;

  /** SHA-256 (hex) of the tool's own name. */
  @PrimaryColumn('text', { name: 'tool_id' })
  readonly toolId: string;

  /** The tool's own name as in JSON, quotes included: names come from outside, and no database keeps every one of them. */
  @Column('text')
  readonly tool: string;

  @Column('text')
  readonly fingerprint: string;

  /** JSON pointers, as JSON. */
  @Column('text')
  readonly volatile: string;

  @Column('boolean')
  readonly listed: boolean;

  @Column('bigint', { name: 'accepted_at', transformer: epochMillis })
  readonly acceptedAt: number;

  /** JSON: read and written as one. */
  @Column('text')
  readonly origin: string;
}
