import { diag } from '@opentelemetry/api';

/** Runs a piece of telemetry, whose fault must disturb nobody: it goes to OpenTelemetry's diagnostics. */
export function quietly<T>(record: () => T): T | undefined {
  try {
    return record();
  } catch (error) {
    diag.error('tool-search: nothing was recorded', error);
    return undefined;
  }
}
