import { EndingSearchCache } from '../search/ending-search-cache.js';
import { checkStatistics } from '../tool/snapshot/statistics-scope.js';
import { guardStore } from '../tool/store-guard.js';
import type { ToolSource } from '../tool/tool-source.js';
import { TenantSources } from '../toolbox/tenants/tenant-sources.js';
import { buildAccess } from './build-access.js';
import { buildCatalog } from './build-catalog.js';
import { buildHistory } from './build-history.js';
import { buildToolbox } from './build-toolbox.js';
import { type GivenHooks, runtimeHooks } from './runtime-hooks.js';
import type { RuntimeSettings } from './runtime-settings.js';
import type { RuntimeStores } from './runtime-stores.js';

/** Everything that the toolboxes of one application share, and its start and end. */
export type Runtime = ReturnType<typeof createRuntime>;

/**
 * Builds all services of an application from its settings and stores. The only place that does: the Nest module, the
 * testing kit and the benchmarks call it. Nothing runs before `start()`.
 *
 * @throws ToolSearchError `INVALID_CONFIGURATION`
 */
export function createRuntime(settings: RuntimeSettings, stores: RuntimeStores = {}, given: GivenHooks = {}) {
  const hooks = runtimeHooks(given);
  const { events, interceptors, visibility, reportFault, onDerived, tracing } = hooks;
  const searchCache = stores.searchCache && new EndingSearchCache(stores.searchCache);
  const catalogAndSearch = buildCatalog(settings, { ...stores, searchCache }, hooks);
  const access = buildAccess(settings, stores, hooks, catalogAndSearch);
  const toolbox = buildToolbox(settings, stores, hooks, catalogAndSearch, access);
  const history = buildHistory(settings, stores, hooks, catalogAndSearch, access, toolbox);
  const { index, lazy: _lazy, names: _names, ...searched } = catalogAndSearch;
  const { sweeping, ...governed } = access;
  const { catalog } = searched;
  const { control } = governed;
  const { activations, cachedResults, heldResults, pauses, running } = toolbox;
  const { exampleQueries, gaps, ledger, records } = history;
  const { retryMinMs, retryMaxMs } = settings.catalog;
  const tenantParts = { catalog, events, running, retryMinMs, retryMaxMs, reportFault, exampleQueries };
  const tenantSources = new TenantSources(settings.tenantSources, tenantParts);

  const flush = async (): Promise<void> => {
    await Promise.all([ledger.stop(), records.stop(), gaps.stop(), exampleQueries.stop(), searchCache?.end()]);
  };
  return {
    events,
    interceptors,
    reportFault,
    onDerived,
    tracing,
    ...searched,
    ...governed,
    ...toolbox,
    ...history,
    tenantSources,

    /** Reads the operators' decisions, loads the sources and begins the work in the background. */
    start: async (...sources: readonly ToolSource[]): Promise<void> => {
      if (visibility().length > 0) checkStatistics(index, 'a visibility policy');
      await control.start();
      await exampleQueries.open();
      await catalog.add(...sources);
      cachedResults.rules.check(catalog.tools());
      exampleQueries.start();
      activations.startSweeping(() => Promise.all([pauses.sweep(), heldResults?.sweep()]));
      ledger.start();
      records.start();
      stores.calls?.beforeClosing(flush);
      sweeping.start();
      gaps.start();
    },

    /** Empties the search cache; 0 without one. @throws ToolSearchError `STORE_UNAVAILABLE` */
    clearSearchCache: async (): Promise<number> =>
      guardStore('Entries of the search cache', async () => (await searchCache?.clear()) ?? 0),

    /** Writes pending counts and records, and gives unfinished work back. Call it before `close()`, while the stores are open. */
    flush,

    /** Ends all work in the background and closes the sources. The control plane is last: running calls ask it. */
    close: async (): Promise<void> => {
      activations.stopSweeping();
      sweeping.stop();
      await Promise.all([tenantSources.close(), catalog.close()]);
      await control.stop();
    },
  };
}
