import { Delete, Inject } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { AuditTrail, ToolSearchService } from '@tool-search/core';
import { AdminController, AdminWrite } from '../access/admin-route.decorator.js';
import { Operator, type OperatorIdentity } from '../request/operator.decorator.js';
import { AdminQuery, type Checked } from '../request/request-part.decorator.js';
import { CacheCleared, ClearCacheQuery } from './search-cache.dto.js';

@AdminController()
export class SearchCacheController {
  constructor(
    @Inject(ToolSearchService) protected readonly service: ToolSearchService,
    @Inject(AuditTrail) protected readonly trail: AuditTrail,
  ) {}

  @Delete('search-cache')
  @AdminWrite('Empty the search cache: the next boot builds index and vectors anew')
  @ApiOkResponse({ type: CacheCleared })
  async clear(
    @AdminQuery(ClearCacheQuery) { reason }: Checked<ClearCacheQuery>,
    @Operator() { actor }: OperatorIdentity,
  ): Promise<CacheCleared> {
    // The audit entry comes first: without it nothing is deleted.
    await this.trail.note({ action: 'search_cache.cleared', actor, subject: 'search cache', reason, tenantId: '' });
    return { removed: await this.service.clearSearchCache() };
  }
}
