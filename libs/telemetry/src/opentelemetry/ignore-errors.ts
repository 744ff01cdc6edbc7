import { diag } from '@opentelemetry/api';

/** Runs telemetry code. Its errors go to OpenTelemetry's diagnostics and never reach the application. */
export function ignoreErrors<T>(record: () => T): T | undefined {
  try {
    return record();
  } catch (error) {
    diag.error('tool-search: nothing was recorded', error);
    return undefined;
  }
}
