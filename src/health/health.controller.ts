import { Controller, Get, Req, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import { HealthCheck, HealthCheckService, TypeOrmHealthIndicator } from '@nestjs/terminus';
import { InjectDataSource } from '@nestjs/typeorm';
import { ToolSearchError } from '@tool-search/core';
import { ToolSearchHealthIndicator } from '@tool-search/telemetry/terminus';
import { TOOL_SEARCH_DATA_SOURCE } from '@tool-search/typeorm';
import type { DataSource } from 'typeorm';
import { BearerGuard } from '../auth/bearer.guard.js';
import type { AuthenticatedRequest } from '../auth/user.js';

/** Health checks: counts for everyone, names of sources for operators only. */
@Controller('health')
@ApiTags('health')
export class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly database: TypeOrmHealthIndicator,
    private readonly toolSearch: ToolSearchHealthIndicator,
    @InjectDataSource(TOOL_SEARCH_DATA_SOURCE) private readonly dataSource: DataSource,
  ) {}

  @Get()
  @HealthCheck()
  check() {
    return this.#check(false);
  }

  @Get('details')
  @UseGuards(BearerGuard)
  @ApiBearerAuth()
  @HealthCheck()
  checkDetails(@Req() { user }: AuthenticatedRequest) {
    if (user.roles.includes('admin')) return this.#check(true);
    throw new ToolSearchError('FORBIDDEN', 'Only operators may read the names of sources.', {
      hint: 'GET /health answers everybody.',
    });
  }

  #check(details: boolean) {
    return this.health.check([
      () => this.database.pingCheck('store', { connection: this.dataSource }),
      () => this.toolSearch.checkCatalog('catalog', { details, tenants: true }),
      () => this.toolSearch.checkControl('control', { details }),
    ]);
  }
}
