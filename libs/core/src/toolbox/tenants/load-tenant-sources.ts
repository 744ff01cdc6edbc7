import { withDeadline } from '../../async/deadline.js';
import type { ToolContext } from '../../tool/tool-context.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { ToolSource } from '../../tool/tool-source.js';
import type { TenantSourceOptions } from './tenant-source-options.js';

const LOAD_MS = 30_000;

/** A tenant whose sources are loaded; `gone` is aborted when they are no longer needed. */
interface AskedTenant {
  readonly id: string;
  readonly context: ToolContext;
  readonly gone: AbortController;
}

/**
 * Calls `load` for a tenant, with a limit of 30 s. Sources that it returns later are closed.
 *
 * @throws the error of `load`, or an error when it does not return a list
 */
export async function loadTenantSources(
  { load }: TenantSourceOptions,
  { id, context, gone }: AskedTenant,
): Promise<readonly unknown[]> {
  const ask = async (signal: AbortSignal) => {
    const sources: unknown = await load(id, context);
    // The caller has stopped waiting, so these sources must be closed here.
    if (signal.aborted) await closeSources(sources);
    return sources;
  };
  const given = await withDeadline(LOAD_MS, ask, gone.signal);
  if (Array.isArray(given)) return given as readonly unknown[];
  throw new ToolSearchError('INVALID_CONFIGURATION', 'tenantSources.load() did not give a list of sources.');
}

/** Closes sources that were never added to the catalog. */
export async function closeSources(sources: unknown): Promise<void> {
  if (!Array.isArray(sources)) return;
  await Promise.allSettled(sources.map(async (source: Partial<ToolSource> | null) => source?.close?.()));
}
