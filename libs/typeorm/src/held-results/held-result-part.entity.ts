import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { HeldResultEntity } from './held-result.entity.js';

/** A part of a held result. Deleted before its result, so it is never orphaned. */
export abstract class HeldResultPartEntity {
  @PrimaryColumn('text') readonly handle: string;
  /** Starts at 0. */
  @PrimaryColumn('integer') readonly part: number;

  abstract readonly bytes: Uint8Array;
}

const NAME = 'tool_search_held_result_parts';
const KEY = ['handle'] as const;
const foreignKey = { name: 'fk_tool_search_held_result_parts_result' };

/** {@link HeldResultPartEntity} on SQLite. The databases have no common type name for bytes. */
@Entity(NAME)
@ForeignKey(() => HeldResultEntity, KEY, KEY, foreignKey)
export class SqliteHeldResultPartEntity extends HeldResultPartEntity {
  @Column('blob') readonly bytes: Uint8Array;
}

/** {@link HeldResultPartEntity} on PostgreSQL. */
@Entity(NAME)
@ForeignKey(() => HeldResultEntity, KEY, KEY, foreignKey)
export class PostgresHeldResultPartEntity extends HeldResultPartEntity {
  @Column('bytea') readonly bytes: Uint8Array;
}
