export { ToolSearchTelemetryModule } from './opentelemetry/tool-search-telemetry.module.js';
export type { ToolSearchTelemetryOptions } from './opentelemetry/tool-search-telemetry.options.js';
