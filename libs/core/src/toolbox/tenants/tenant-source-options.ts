import type { ToolCatalog } from '../../catalog/tool-catalog.js';
import type { ToolContext } from '../../tool/tool-context.js';
import type { ToolEvents } from '../../tool/tool-event.js';
import type { ToolSource } from '../../tool/tool-source.js';
import type { RunningCalls } from '../calls/running-calls.js';

/** Sources of each tenant's own, loaded at its first request and removed when it is idle. */
export interface TenantSourceOptions {
  /**
   * Returns a tenant's own sources. Called at the tenant's first request, with that request's context: use only values
   * that hold for the whole tenant. A source without an owner becomes the tenant's; a source with another owner is
   * refused. When it throws, it is called again later.
   */
  readonly load: (tenantId: string, context: ToolContext) => readonly ToolSource[] | Promise<readonly ToolSource[]>;
  /** Milliseconds without a request after which a tenant's sources are removed. @default 1800000 (30 min) */
  readonly idleMs?: number;
  /**
   * Maximum number of tenants with loaded sources. Beyond it the least recently used ones are removed, but none that
   * was used in the last ten seconds. @default 1000
   */
  readonly maxTenants?: number;
  /**
   * Milliseconds for which a tenant's first requests wait for its sources. At most the catalog's `bootWaitMs`, which is
   * the default: 10000
   */
  readonly waitMs?: number | undefined;
}

/** The services that {@link TenantSources} works with. */
export interface TenantSourceParts {
  readonly catalog: ToolCatalog;
  readonly events: ToolEvents;
  readonly running: RunningCalls;
  /** Shortest and longest wait between two attempts, in milliseconds. @default 1000 and 60000 */
  readonly retryMinMs?: number | undefined;
  readonly retryMaxMs?: number | undefined;
  /** Called with the cause of a failure, for the log. */
  readonly reportFault: (what: string, error: unknown) => void;
  /** Monotonic clock, in milliseconds. @default `performance.now` */
  readonly now?: (() => number) | undefined;
}
