import { Column, Entity, PrimaryColumn } from 'typeorm';
import { epochMillis } from '../database/epoch-millis.js';

/** The one row that says how far records and audit trail have come. Whoever changes them locks it first. */
@Entity('tool_search_control_head')
export class ControlHeadEntity {
  /** Always 1. */
  @PrimaryColumn('integer')
  readonly id: number;

  @Column('bigint', { transformer: epochMillis })
  readonly revision: number;

  /** Of the newest audit entry; 0 = there is none. */
  @Column('bigint', { transformer: epochMillis })
  readonly seq: number;

  /** Of the newest audit entry; `''` = there is none. */
  @Column('text')
  readonly hash: string;
}
