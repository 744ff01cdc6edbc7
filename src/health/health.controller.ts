import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { HealthCheck, HealthCheckService, HealthIndicatorService, TypeOrmHealthIndicator } from '@nestjs/terminus';
import { InjectDataSource } from '@nestjs/typeorm';
import { ToolCatalog } from '@tool-search/core';
import { TOOL_SEARCH_DATA_SOURCE } from '@tool-search/typeorm';
import type { DataSource } from 'typeorm';

/** Whether the server can work. A source that is down degrades the catalog; it does not make the server unhealthy. */
@Controller('health')
@ApiTags('health')
export class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly indicator: HealthIndicatorService,
    private readonly database: TypeOrmHealthIndicator,
    private readonly catalog: ToolCatalog,
    @InjectDataSource(TOOL_SEARCH_DATA_SOURCE) private readonly dataSource: DataSource,
  ) {}

  @Get()
  @HealthCheck()
  check() {
    return this.health.check([
      () => this.database.pingCheck('store', { connection: this.dataSource }),
      () => {
        const sources = Object.fromEntries(
          this.catalog
            .sources()
            .map(({ source, state, tools, refused, code }) => [
              source,
              { state, tools, refused: refused.length, ...(code !== undefined && { code }) },
            ]),
        );
        return this.indicator.check('catalog').up({ tools: this.catalog.current().tools.length, sources });
      },
    ]);
  }
}
