import { ToolCatalog } from '../catalog/tool-catalog.js';
import { MemoryToolIndex } from '../search/memory/memory-tool-index.js';
import type { ToolDefinition } from '../tool/tool-definition.js';
import { ToolSearchError } from '../tool/tool-search.error.js';
import { CatalogSnapshot } from '../tool/snapshot/catalog-snapshot.js';
import { ToolSet } from '../tool/snapshot/tool-set.js';
import type { Toolbox } from '../toolbox/toolbox.js';
import { ToolFinder } from '../toolbox/search/tool-finder.js';
import { ToolView } from '../toolbox/tool-views.js';
import { type RankedQuery, retrievalMeasures, type RetrievalMeasures } from './retrieval-measures.js';

/** A request in the words of a user, and the tools that serve it. */
export interface GoldenQuery {
  readonly query: string;
  /** Canonical names or aliases of all tools that serve it; none where the right answer is that there is no such tool. */
  readonly relevant: readonly string[];
}

/** How a catalog is evaluated. */
export interface EvaluationOptions {
  /** Every relevant tool must be among so many, 1 to 10, or the query is a miss. @default 5 */
  readonly within?: number;
}

/** A golden query that was not answered as it should be. */
export interface RetrievalMiss {
  readonly query: string;
  /** Tools came too late or not at all; the search said that there is none; it found some where there is none. */
  readonly fault: 'too_late' | 'refused' | 'found_some';
  /** Relevant tools that are not among the first `within`. */
  readonly missing: readonly string[];
  /** What was found, best first, at most 10. */
  readonly found: readonly string[];
}

/** How well the tools of a catalog are found. */
export interface RetrievalReport extends RetrievalMeasures {
  readonly queries: number;
  /** In the order of the queries. */
  readonly misses: readonly RetrievalMiss[];
  /** Measures and misses for a log. */
  readonly text: string;
}

const DEPTH = 10;

type Search = (query: string) => Promise<readonly string[]>;

/**
 * Asks every golden query once and measures the answers, so that a build can fail when tools are no longer found:
 * `expect(report.misses).toEqual([])` or `expect(report.ndcg5).toBeGreaterThan(0.9)`. All visible tools are searched, those
 * that are always loaded too; no query changes what the next one finds. A query that is refused found nothing.
 *
 * @param searched a toolbox: what its context can see, with the application's own settings; or a catalog: all of its tools, with
 *   the defaults
 * @throws ToolSearchError `INVALID_REQUEST` without queries, for tools that are not there, and where search is switched off
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
    const found = await search(query);
    ranked.push({ query, found, relevant: relevantOf(relevant), saysNone: found.length === 0 });
  }
  const misses = ranked.flatMap((each) => missOf(each, within) ?? []);
  const measures = retrievalMeasures(ranked);
  return { ...measures, queries: golden.length, misses, text: reportText(measures, ranked.length, misses) };
}

/** A catalog is named by hand: a name that has gone stale must not look like a tool that is not found. */
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
    // Of a run of its own: what a query offers must not order the answers of the next one.
    const { tools } = await toolbox.narrow({}).search({ query, limit: DEPTH, includeAlwaysLoaded: true });
    return tools.map(({ name }) => name);
  };
}

async function catalogSearch(catalog: ToolCatalog): Promise<Search> {
  const snapshot = new CatalogSnapshot(0, catalog.tools());
  const index = new MemoryToolIndex();
  await index.apply({ next: snapshot });
  const finder = new ToolFinder(index);
  const view = new ToolView(
    snapshot,
    ToolSet.of(snapshot.size, () => true),
    false,
  );
  return async (query) => {
    const { hits } = await finder.find({ query, limit: DEPTH, includeAlwaysLoaded: true }, view);
    return hits.map(({ tool }) => tool.name);
  };
}

function missOf(
  { query, found, relevant }: RankedQuery & { readonly query: string },
  within: number,
): RetrievalMiss | undefined {
  const best = new Set(found.slice(0, within));
  const missing = [...relevant].filter((name) => !best.has(name));
  if (relevant.size === 0) return found.length > 0 ? { query, fault: 'found_some', missing, found } : undefined;
  if (missing.length === 0) return undefined;
  return { query, fault: found.length === 0 ? 'refused' : 'too_late', missing, found };
}

function reportText(measures: RetrievalMeasures, queries: number, misses: readonly RetrievalMiss[]): string {
  const { ndcg5, recall5, mrr, none } = measures;
  const head = `${queries} golden queries: nDCG@5 ${ndcg5.toFixed(3)}, recall@5 ${recall5.toFixed(3)}, MRR ${mrr.toFixed(3)}`;
  const impossible = none.queries === 0 ? '' : `; ${none.saidNone} of ${none.queries} that nothing serves answered so`;
  const lines = misses.map(({ query, missing, found }) => {
    const wanted = missing.length === 0 ? 'nothing serves it' : `missing ${missing.join(', ')}`;
    return `- ${JSON.stringify(query)}: ${wanted}; found ${found.join(', ') || 'nothing'}`;
  });
  return [`${head}${impossible}`, ...(lines.length > 0 ? [`missed (${lines.length}):`, ...lines] : [])].join('\n');
}

function invalid(message: string, hint: string): ToolSearchError {
  return new ToolSearchError('INVALID_REQUEST', message, { hint });
}
