import { ToolCatalog } from '../catalog/tool-catalog.js';
import { LazyTokenizer } from '../exposure/ledger/lazy-tokenizer.js';
import { metaNames } from '../exposure/presets/presets.js';
import { PromptExposure } from '../exposure/prompt/prompt-exposure.js';
import { assembleToolIndex } from '../search/assemble-tool-index.js';
import { LazyToolIndex } from '../search/lazy-tool-index.js';
import type { ToolIndex } from '../search/tool-index.js';
import { readCallName } from '../tool/meta-names.js';
import type { CatalogSnapshot } from '../tool/snapshot/catalog-snapshot.js';
import { checkForks, checkStatistics } from '../tool/snapshot/statistics-scope.js';
import { DefinitionTokens } from '../tool/token-count.js';
import { ListedDescriptions } from '../toolbox/search/described-tool.js';
import { ToolFinder } from '../toolbox/search/tool-finder.js';
import type { RuntimeHooks } from './runtime-hooks.js';
import type { RuntimeSettings } from './runtime-settings.js';
import type { RuntimeStores } from './runtime-stores.js';

export type CatalogServices = ReturnType<typeof buildCatalog>;

/** The tools, what models read of them and what that costs, and the search. */
export function buildCatalog(settings: RuntimeSettings, stores: RuntimeStores, hooks: RuntimeHooks) {
  const { events, now } = hooks;
  const { examples, search } = settings;
  const tokenizer = new LazyTokenizer(settings.tokens);
  const descriptions = new ListedDescriptions(examples);
  const tokens = new DefinitionTokens(tokenizer, (tool) => descriptions.of(tool));
  const exposure = new PromptExposure(settings.exposure, tokens, events);
  const { index, lazy } = searchIndex(settings, stores, hooks, exposure);
  if (settings.tenantSources.isOn) {
    checkStatistics(index, "tenants' own sources");
    checkForks(index, 'one tenant');
  }
  const names = metaNames(settings.preset, settings.exposure.metaTools);
  const rules = { ...settings.catalog, takenNames: [...Object.values(names), readCallName(names.call)] };
  const catalog = new ToolCatalog(index, events, rules, stores.definitions, now);
  return {
    tokenizer,
    tokens,
    examples,
    descriptions,
    exposure,
    names,
    index,
    lazy,
    catalog,
    reader: catalog,
    search,
    finder: new ToolFinder(index, search),
    prepareSearch: (snapshot: CatalogSnapshot) => lazy?.prepare(snapshot),
  };
}

/**
 * The index of the catalog: none where all tools are listed, so that nothing is searched; in `auto` one that is built
 * when something is searched. An engine of the application is always kept up to date.
 */
function searchIndex(
  { search, index: own }: RuntimeSettings,
  { searchCache: cache }: RuntimeStores,
  { events, reportCacheFault: onCacheFault }: RuntimeHooks,
  exposure: PromptExposure,
): { readonly index: ToolIndex | undefined; readonly lazy?: LazyToolIndex } {
  if (exposure.configured === 'all') return { index: undefined };
  const index = assembleToolIndex(search, { index: own, cache, onCacheFault, events });
  if (exposure.configured !== 'auto' || own) return { index };
  const lazy = new LazyToolIndex(index, (next) => exposure.defers(next.tools));
  return { index: lazy, lazy };
}
