import type { ToolCatalog } from '../../catalog/tool-catalog.js';
import type { ToolContext } from '../../tool/tool-context.js';
import type { ToolEvents } from '../../tool/tool-event.js';
import type { ToolSource } from '../../tool/tool-source.js';
import type { RunningCalls } from '../calls/running-calls.js';

/** Sources that each tenant has for itself, brought when it is there and taken away when it is not. */
export interface TenantSourceOptions {
  /**
   * A tenant's own sources, asked for at its first request, whose context it gets: take from that only what holds for the whole
   * tenant. A source that names no owner becomes the tenant's; one that names another is refused. Throwing means: try again later.
   */
  readonly load: (tenantId: string, context: ToolContext) => readonly ToolSource[] | Promise<readonly ToolSource[]>;
  /** Milliseconds without a request after which a tenant's sources are taken away. @default 1800000 */
  readonly idleMs?: number;
  /**
   * Tenants whose sources are there at once; beyond that those go that were not used for longest, but none that was used in the
   * last ten seconds. @default 1000
   */
  readonly maxTenants?: number;
  /** Milliseconds for which a tenant's first requests wait for its sources. At most the catalog's
   * `bootWaitMs`, which is the default: 10000
   */
  readonly waitMs?: number | undefined;
}

/** What tenants' sources work with. */
export interface TenantSourceParts {
  readonly catalog: ToolCatalog;
  readonly events: ToolEvents;
  readonly running: RunningCalls;
  /** Waits between two tries, in milliseconds. @default 1000 and 60000 */
  readonly retryMinMs?: number | undefined;
  readonly retryMaxMs?: number | undefined;
  /** Told why something failed, for the log. */
  readonly reportFault: (what: string, error: unknown) => void;
  /** Milliseconds of a clock that never goes back. @default the real one */
  readonly now?: (() => number) | undefined;
}
