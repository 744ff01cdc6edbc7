import { ConfigurableModuleBuilder } from '@nestjs/common';
import type { ToolSearchTelemetryOptions } from './tool-search-telemetry.options.js';

export const {
  ConfigurableModuleClass,
  MODULE_OPTIONS_TOKEN: TELEMETRY_OPTIONS,
  OPTIONS_TYPE,
  ASYNC_OPTIONS_TYPE,
} = new ConfigurableModuleBuilder<ToolSearchTelemetryOptions>({ moduleName: 'ToolSearchTelemetry' })
  .setClassMethodName('forRoot')
  .build();
