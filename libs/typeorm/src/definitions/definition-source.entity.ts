import { Column, Entity, PrimaryColumn } from 'typeorm';
import { epochMillis } from '../database/epoch-millis.js';

/** A registered source. Its row is the lock for its definitions. */
@Entity('tool_search_definition_sources')
export class DefinitionSourceEntity {
  /** SHA-256 (hex) of owner and name, whose length and characters no index then has to bear. */
  @PrimaryColumn('text')
  readonly id: string;

  /** As in JSON, quotes included. `""` = shared by all tenants. */
  @Column('text')
  readonly owner: string;

  /** As in JSON, quotes included. */
  @Column('text')
  readonly source: string;

  /** Begins with the clock, so that a source that was forgotten and comes back is not taken for what it was. */
  @Column('bigint', { transformer: epochMillis })
  readonly revision: number;
}
