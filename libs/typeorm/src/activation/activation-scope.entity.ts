import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { epochMillis } from '../database/epoch-millis.js';

/** One principal's run or session that holds tools, and when it was last used. Its row is the lock for its activations. */
@Entity('tool_search_activation_scopes')
export class ActivationScopeEntity {
  @PrimaryColumn('text', { name: 'tenant_id' })
  readonly tenantId: string;

  /** `''` for none. */
  @PrimaryColumn('text', { name: 'user_id' })
  readonly userId: string;

  @PrimaryColumn('text')
  readonly scope: 'run' | 'session';

  @PrimaryColumn('text', { name: 'scope_id' })
  readonly scopeId: string;

  @Index('ix_tool_search_activation_scopes_used_at')
  @Column('bigint', { name: 'used_at', transformer: epochMillis })
  readonly usedAt: number;
}
