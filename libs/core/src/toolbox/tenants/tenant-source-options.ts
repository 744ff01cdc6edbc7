import { func, object, type OptionsOf, type SettingsOf, whole } from '../../options/options.js';
import type { ToolCatalog } from '../../catalog/tool-catalog.js';
import type { ToolContext } from '../../tool/tool-context.js';
import type { ToolEvents } from '../../tool/tool-event.js';
import type { ToolSource } from '../../tool/tool-source.js';
import type { ExampleQueries } from '../example-queries/example-queries.js';
import type { RunningCalls } from '../call/running-calls.js';

type LoadTenantSources = (
  tenantId: string,
  context: ToolContext,
) => readonly ToolSource[] | Promise<readonly ToolSource[]>;

export const tenantSourceOptions = object({
  /**
   * Returns a tenant's own sources. Called at the tenant's first request, with that request's context: use only values
   * that hold for the whole tenant. A source without an owner becomes the tenant's; a source with another owner is
   * refused. When it throws, it is called again later.
   */
  load: func<LoadTenantSources>(),
  /** Milliseconds without a request after which a tenant's sources are removed. @default 1800000 (30 min) */
  idleMs: whole(1000, 31_536_000_000).default(1_800_000),
  /**
   * Maximum number of tenants with loaded sources. Beyond it the least recently used ones are removed, but none that
   * was used in the last ten seconds. @default 1000
   */
  maxTenants: whole(1, 100_000).default(1000),
});

/** Sources of each tenant's own, loaded at its first request and removed when it is idle. */
export interface TenantSourceOptions extends OptionsOf<typeof tenantSourceOptions> {}

export const tenantSourceTuning = object({
  /**
   * Milliseconds for which a tenant's first requests wait for its sources. At most the catalog's `bootWaitMs`, which is
   * the default: 10000
   */
  waitMs: whole(0, 600_000).optional(),
});

export interface TenantSourceTuning extends OptionsOf<typeof tenantSourceTuning> {}

export interface TenantSourceSettings extends SettingsOf<typeof tenantSourceOptions> {
  /** Whether tenants may have sources of their own; otherwise `load` returns none. */
  readonly isOn: boolean;
  readonly waitMs: number;
}

export interface TenantSourceParts {
  readonly catalog: ToolCatalog;
  readonly events: ToolEvents;
  readonly running: RunningCalls;
  /** Forgets what was written for the tools of a tenant whose source is gone for good. */
  readonly exampleQueries?: Pick<ExampleQueries, 'forgetTenant'>;
  /** Shortest and longest wait between two attempts, in milliseconds: those of the catalog. */
  readonly retryMinMs: number;
  readonly retryMaxMs: number;
  /** Called with the cause of a failure, for the log. */
  readonly reportFault: (what: string, error: unknown) => void;
  /** Monotonic clock, in milliseconds. @default `performance.now` */
  readonly now?: (() => number) | undefined;
}
