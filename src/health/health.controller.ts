import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { HealthCheck, HealthCheckService, HealthIndicatorService, TypeOrmHealthIndicator } from '@nestjs/terminus';
import { InjectDataSource } from '@nestjs/typeorm';
import { ToolCatalog } from '@tool-search/core';
import { TOOL_SEARCH_DATA_SOURCE } from '@tool-search/typeorm';
import type { DataSource } from 'typeorm';

/** How the sources of one name are doing; tenants, who have instances of their own, are not named here. */
interface SourceHealth {
  readonly instances: number;
  readonly ready: number;
  readonly tools: number;
  readonly refused: number;
}

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
        const sources: Record<string, SourceHealth> = {};
        for (const { source, state, tools, refused } of this.catalog.sources()) {
          const before = sources[source] ?? { instances: 0, ready: 0, tools: 0, refused: 0 };
          sources[source] = {
            instances: before.instances + 1,
            ready: before.ready + (state === 'ready' ? 1 : 0),
            tools: before.tools + tools,
            refused: before.refused + refused.length,
          };
        }
        return this.indicator.check('catalog').up({ tools: this.catalog.current().tools.length, sources });
      },
    ]);
  }
}
