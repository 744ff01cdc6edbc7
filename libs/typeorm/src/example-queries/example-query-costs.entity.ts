import { Column, Entity, PrimaryColumn } from 'typeorm';
import { epochMillis } from '../database/transformers.js';

/** Costs of writing so far. One row, which every claim locks. */
@Entity('tool_search_example_query_costs')
export class ExampleQueryCostsEntity {
  @PrimaryColumn('integer') readonly id: number;
  @Column('bigint', { name: 'input_tokens', transformer: epochMillis }) readonly inputTokens: number;
  @Column('bigint', { name: 'output_tokens', transformer: epochMillis }) readonly outputTokens: number;
  /** Millionths of the unit of the prices. */
  @Column('bigint', { transformer: epochMillis }) readonly micros: number;
}
