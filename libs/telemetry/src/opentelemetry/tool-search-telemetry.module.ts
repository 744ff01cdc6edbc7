import {
  type DynamicModule,
  Global,
  Inject,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
  type Type,
} from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { metrics } from '@opentelemetry/api';
import { ControlPlane, ToolCatalog, ToolEvents } from '@tool-search/core';
import { countEvents } from './count-events.js';
import { observeState } from './observe-state.js';
import { SCOPE } from './semantic-conventions.js';
import { parseOptions, ToolTracing } from '@tool-search/core/internal';
import { describeSpans, SpanTracing } from './span-tracing.js';
import { telemetryOptions } from './tool-search-telemetry.options.js';
import {
  type ASYNC_OPTIONS_TYPE,
  ConfigurableModuleClass,
  type OPTIONS_TYPE,
  TELEMETRY_OPTIONS,
} from './tool-search-telemetry.module-definition.js';

/**
 * Records calls and searches as OpenTelemetry spans, and events as metrics. Import the class itself, or use `forRoot`
 * for options. Start the OpenTelemetry SDK before the application; without an SDK nothing is recorded.
 */
@Global()
@Module({
  providers: [
    { provide: TELEMETRY_OPTIONS, useValue: {} },
    { provide: ToolTracing, useClass: SpanTracing },
  ],
  exports: [ToolTracing],
})
export class ToolSearchTelemetryModule extends ConfigurableModuleClass implements OnModuleInit, OnApplicationShutdown {
  #stops: readonly (() => void)[] = [];

  constructor(@Inject(ModuleRef) private readonly moduleRef: ModuleRef) {
    super();
  }

  onModuleInit(): void {
    // Looked up instead of injected, because ToolSearchModule need not be global.
    const find = <T>(token: abstract new (...args: never[]) => T): T =>
      this.moduleRef.get<T>(token as unknown as Type<T>, { strict: false });
    const events = find(ToolEvents);
    const meter = metrics.getMeter(SCOPE);
    this.#stops = [
      describeSpans(events),
      countEvents(events, meter),
      observeState(find(ToolCatalog), find(ControlPlane), meter),
    ];
  }

  onApplicationShutdown(): void {
    for (const stop of this.#stops) stop();
  }

  /** @param options additional data to record */
  static override forRoot(options: typeof OPTIONS_TYPE): DynamicModule {
    parseOptions(telemetryOptions, options, 'ToolSearchTelemetryModule.forRoot()');
    return super.forRoot(options);
  }

  /** As `forRoot`, with injected or asynchronous options. */
  static override forRootAsync(options: typeof ASYNC_OPTIONS_TYPE): DynamicModule {
    return super.forRootAsync(options);
  }
}
