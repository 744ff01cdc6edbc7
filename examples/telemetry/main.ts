import { Controller, Get, Injectable, Module, Req, Res } from '@nestjs/common';
import { HealthCheck, HealthCheckService, TerminusModule } from '@nestjs/terminus';
import { trace } from '@opentelemetry/api';
import { Tool, ToolSearchModule } from '@tool-search/core';
import { ToolSearchTelemetryModule } from '@tool-search/telemetry/opentelemetry';
import { ToolSearchHealthIndicator } from '@tool-search/telemetry/terminus';
import type { Request, Response } from 'express';
import { AgentController } from '../agent.controller.js';
import { start } from '../start.js';
import { userOf } from '../users.js';
import { kept, prometheus, startTelemetry } from './otel.js';

@Injectable()
export class BillingTools {
  @Tool({ description: 'Show the balance.', sideEffects: 'read' })
  async balance() {
    // Spans of the tool's own work are children of its call.
    return trace.getTracer('billing').startActiveSpan('SELECT balance', (span) => {
      span.end();
      return '5 euros';
    });
  }
}

@Controller('metrics')
export class MetricsController {
  @Get()
  metrics(@Req() request: Request, @Res() response: Response): void {
    prometheus.getMetricsRequestHandler(request, response);
  }
}

@Controller('health')
export class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly toolSearch: ToolSearchHealthIndicator,
  ) {}

  @Get()
  @HealthCheck()
  check() {
    return this.health.check([
      () => this.toolSearch.checkCatalog('catalog'),
      () => this.toolSearch.checkControl('control'),
    ]);
  }
}

@Module({
  imports: [
    ToolSearchModule.forRoot({ context: userOf, defaultLoading: 'deferred' }),
    ToolSearchTelemetryModule,
    TerminusModule,
  ],
  providers: [BillingTools, ToolSearchHealthIndicator],
  controllers: [AgentController, MetricsController, HealthController],
})
class TelemetryModule {}

export async function main(say: (line: string) => void = console.log): Promise<void> {
  const stopTelemetry = startTelemetry();
  const { app, as } = await start(TelemetryModule);
  const ada = as('ada-token');
  await ada.search('balance');
  await ada.call('billing.balance');
  await ada.call('billing.no_such_tool');

  const spans = kept.getFinishedSpans();
  const nameOf = new Map(spans.map((span) => [span.spanContext().spanId, span.name]));
  for (const { name, parentSpanContext } of spans) {
    const parent = nameOf.get(parentSpanContext?.spanId ?? '');
    say(`span: ${name}${parent === undefined ? '' : `, in ${parent}`}`);
  }
  const { body: metrics } = await ada.get('metrics');
  const wanted = [
    'tool_search_queries_total',
    'tool_search_denials_total',
    'tool_search_catalog_tools{state="deferred"',
  ];
  for (const name of wanted)
    say(`metric: ${withoutScope(metrics.split('\n').find((each: string) => each.startsWith(name)))}`);
  const { body: health } = await ada.get('health');
  say(`health: ${health.status}, control ${health.info.control.state}`);
  await app.close();
  await stopTelemetry();
}

/** A line without the labels that name the library and its version. */
const withoutScope = (line = '') => line.replace(/,?otel_scope_\w+="[^"]*"/g, '').replace('{}', '');
