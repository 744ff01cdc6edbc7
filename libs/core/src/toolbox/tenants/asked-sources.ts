import { Deadline } from '../../async/deadline.js';
import type { ToolContext } from '../../tool/tool-context.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { ToolSource } from '../../tool/tool-source.js';
import { unlessAborted } from '../../async/unless-aborted.js';
import type { TenantSourceOptions } from './tenant-source-options.js';

const LOAD_MS = 30_000;

/** Whose sources are asked for, and how long anybody wants them. */
interface AskedTenant {
  readonly id: string;
  readonly context: ToolContext;
  readonly gone: AbortController;
}

/** What `load` gives for a tenant within 30 s; what it gives later is closed. @throws what `load` throws, and when it gives no list */
export async function askedSources(
  { load }: TenantSourceOptions,
  { id, context, gone }: AskedTenant,
): Promise<readonly unknown[]> {
  const deadline = new Deadline(LOAD_MS, gone.signal);
  const asked = unlessAborted(async () => {
    const given: unknown = await load(id, context);
    // Nobody waits for these any more, and nobody else would close them.
    if (deadline.signal.aborted) await closeSources(given);
    return given;
  }, deadline.signal);
  const given = await asked.finally(() => deadline.clear());
  if (Array.isArray(given)) return given as readonly unknown[];
  throw new ToolSearchError('INVALID_CONFIGURATION', 'tenantSources.load() did not give a list of sources.');
}

/** Closes sources that never came into the catalog. */
export async function closeSources(sources: unknown): Promise<void> {
  if (!Array.isArray(sources)) return;
  await Promise.allSettled(sources.map(async (source: Partial<ToolSource> | null) => source?.close?.()));
}
