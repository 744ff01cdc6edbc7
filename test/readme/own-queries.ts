import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { ActivationEntity, TOOL_SEARCH_DATA_SOURCE } from '@tool-search/typeorm';
import type { Repository } from 'typeorm';

// #region own-queries
@Injectable()
export class ToolUsage {
  constructor(
    @InjectRepository(ActivationEntity, TOOL_SEARCH_DATA_SOURCE)
    private readonly activations: Repository<ActivationEntity>,
  ) {}

  /** The tools that are active in most of a tenant's runs and sessions. */
  mostActive(tenantId: string, limit = 10): Promise<{ tool: string; scopes: number | string }[]> {
    return this.activations
      .createQueryBuilder('activation')
      .select('activation.tool', 'tool')
      .addSelect('COUNT(*)', 'scopes')
      .where({ tenantId })
      .groupBy('activation.tool')
      .orderBy('scopes', 'DESC')
      .addOrderBy('activation.tool')
      .limit(limit)
      .getRawMany();
  }
}
// #endregion own-queries
