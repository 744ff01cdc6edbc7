import { ToolCatalog } from '../catalog/tool-catalog.js';
import { withDefaults } from '../options/options.js';
import { MemoryToolIndex } from '../search/memory/memory-tool-index.js';
import type { ToolDefinition } from '../tool/tool-definition.js';
import { ToolSearchError } from '../tool/tool-search.error.js';
import { CatalogSnapshot } from '../tool/snapshot/catalog-snapshot.js';
import { ToolSet } from '../tool/snapshot/tool-set.js';
import type { Toolbox } from '../toolbox/toolbox.js';
import { finderOptions, ToolFinder } from '../toolbox/search/tool-finder.js';
import { ToolView } from '../toolbox/tool-views.js';
import { type RankedQuery, retrievalMeasures, type RetrievalMeasures } from './retrieval-measures.js';

/** A user's request, and the tools that serve it. */
export interface GoldenQuery {
  readonly query: string;
  /** Canonical names or aliases of all tools that serve it; empty where no tool does. */
  readonly relevant: readonly string[];
}

/** Options of an evaluation. */
export interface EvaluationOptions {
  /** Rank, from 1 to 10, within which every relevant tool must be found; otherwise the query is a miss. @default 5 */
  readonly within?: number;
}

/** A golden query with a wrong answer. */
export interface RetrievalMiss {
  readonly query: string;
  /** A relevant tool ranked too low or was not found; there are no hits; or the verdict is `found` and none is relevant. */
  readonly fault: 'too_late' | 'refused' | 'found_some';
  /** Relevant tools that are not among the first `within`. */
  readonly missing: readonly string[];
  /** The tools that were found, best first, at most 10. */
  readonly found: readonly string[];
}

/** The retrieval quality of a catalog. */
export interface RetrievalReport extends RetrievalMeasures {
  readonly queries: number;
  /** In the order of the queries. */
  readonly misses: readonly RetrievalMiss[];
  /** Measures and misses as text, for a log. */
  readonly text: string;
}

const DEPTH = 10;

type Search = (query: string) => Promise<Required<Pick<RankedQuery, 'found' | 'isWeak'>>>;

/**
 * Searches with every golden query once and measures the answers, so that a build can fail when tools are no longer
 * found: `expect(report.misses).toEqual([])` or `expect(report.ndcg5).toBeGreaterThan(0.9)`. Searches all visible
 * tools, including those that are always loaded; queries do not affect each other. A query
 * without a relevant tool may have weak hits, or none.
 *
 * @param searched a toolbox, for what its context can see with the application's own settings; or a catalog, for all of
 *   its tools with the default settings
 * @throws ToolSearchError `INVALID_REQUEST` without queries, for unknown tools, and where search is switched off
 */
export async function evaluateRetrieval(
  searched: Pick<Toolbox, 'visible' | 'narrow'> | ToolCatalog,
  golden: readonly GoldenQuery[],
  { within = 5 }: EvaluationOptions = {},
): Promise<RetrievalReport> {
  if (golden.length === 0)
    throw invalid('There are no golden queries.', 'Give at least one: nothing measured is no proof.');
  if (!Number.isInteger(within) || within < 1 || within > DEPTH) {
    throw invalid(`within must be a whole number from 1 to ${DEPTH}.`, 'Leave it out for 5.');
  }
  const isCatalog = searched instanceof ToolCatalog;
  const relevantOf = relevance(isCatalog ? searched.tools() : await searched.visible(), golden);
  const search = isCatalog ? await catalogSearch(searched) : toolboxSearch(searched);
  const ranked: (RankedQuery & { readonly query: string })[] = [];
  for (const { query, relevant } of golden) {
    ranked.push({ query, ...(await search(query)), relevant: relevantOf(relevant) });
  }
  const misses = ranked.flatMap((each) => missOf(each, within) ?? []);
  const measures = retrievalMeasures(ranked);
  return { ...measures, queries: golden.length, misses, text: reportText(measures, ranked.length, misses) };
}

/** Golden queries are written by hand: an outdated name must be an error, not a tool that is not found. */
function relevance(tools: readonly ToolDefinition[], golden: readonly GoldenQuery[]) {
  const canonical = new Map(tools.flatMap(({ name, aliases }) => aliases.map((alias) => [alias, name])));
  for (const { name } of tools) canonical.set(name, name);
  const unknown = new Set(golden.flatMap(({ relevant }) => relevant.filter((name) => !canonical.has(name))));
  if (unknown.size > 0) {
    throw invalid(
      `Golden queries name tools that are not there: ${[...unknown].join(', ')}.`,
      'Correct the names, or open a toolbox that may see them.',
    );
  }
  return (names: readonly string[]): ReadonlySet<string> => new Set(names.map((name) => canonical.get(name) ?? name));
}

function toolboxSearch(toolbox: Pick<Toolbox, 'narrow'>): Search {
  return async (query) => {
    // In a run of its own: the offers of one query must not affect the order of the next answer.
    const { tools, verdict } = await toolbox.narrow({}).search({ query, limit: DEPTH, includeAlwaysLoaded: true });
    return { found: tools.map(({ name }) => name), isWeak: verdict === 'weak' };
  };
}

async function catalogSearch(catalog: ToolCatalog): Promise<Search> {
  const snapshot = new CatalogSnapshot(0, catalog.tools());
  const index = new MemoryToolIndex();
  await index.apply({ next: snapshot });
  const finder = new ToolFinder(index, withDefaults(finderOptions));
  const view = new ToolView(
    snapshot,
    ToolSet.of(snapshot.size, () => true),
    false,
  );
  return async (query) => {
    const { hits, verdict } = await finder.find({ query, limit: DEPTH, includeAlwaysLoaded: true }, view);
    return { found: hits.map(({ tool }) => tool.name), isWeak: verdict === 'weak' };
  };
}

function missOf(
  { query, found, relevant, isWeak }: RankedQuery & { readonly query: string },
  within: number,
): RetrievalMiss | undefined {
  const best = new Set(found.slice(0, within));
  const missing = [...relevant].filter((name) => !best.has(name));
  if (relevant.size === 0) {
    return found.length > 0 && !isWeak ? { query, fault: 'found_some', missing, found } : undefined;
  }
  if (missing.length === 0) return undefined;
  return { query, fault: found.length === 0 ? 'refused' : 'too_late', missing, found };
}

function reportText(measures: RetrievalMeasures, queries: number, misses: readonly RetrievalMiss[]): string {
  const { ndcg5, recall5, mrr, none } = measures;
  const head = `${queries} golden queries: nDCG@5 ${ndcg5.toFixed(3)}, recall@5 ${recall5.toFixed(3)}, MRR ${mrr.toFixed(3)}`;
  const impossible =
    none.queries === 0 ? '' : `; ${none.saidNone + none.saidWeak} of ${none.queries} that nothing serves answered so`;
  const lines = misses.map(({ query, missing, found }) => {
    const wanted = missing.length === 0 ? 'nothing serves it' : `missing ${missing.join(', ')}`;
    return `- ${JSON.stringify(query)}: ${wanted}; found ${found.join(', ') || 'nothing'}`;
  });
  return [`${head}${impossible}`, ...(lines.length > 0 ? [`missed (${lines.length}):`, ...lines] : [])].join('\n');
}

function invalid(message: string, hint: string): ToolSearchError {
  return new ToolSearchError('INVALID_REQUEST', message, { hint });
}
