import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { HealthCheck, HealthCheckService, TypeOrmHealthIndicator } from '@nestjs/terminus';
import { InjectDataSource } from '@nestjs/typeorm';
import { ToolSearchHealthIndicator } from '@tool-search/telemetry/terminus';
import { TOOL_SEARCH_DATA_SOURCE } from '@tool-search/typeorm';
import type { DataSource } from 'typeorm';

/** Whether the server can work. */
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
    return this.health.check([
      () => this.database.pingCheck('store', { connection: this.dataSource }),
      () => this.toolSearch.checkCatalog('catalog'),
      () => this.toolSearch.checkControl('control'),
    ]);
  }
}
