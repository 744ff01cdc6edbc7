import {
  described,
  object,
  oneOf,
  type OptionsOf,
  type SettingsOf,
  share,
  someOf,
  text,
  list,
  whole,
  part,
} from '../../options/options.js';
import { searchType } from '../../tool/source/source-options.js';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { LearnedOverlay } from '../../search/learned/learned-overlay.js';
import type { SearchAnswer, SearchHit, ToolIndex, ToolQuery } from '../../search/tool-index.js';
import type { SearchVerdict } from '../../tool/tool-event.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { ToolSet } from '../../tool/snapshot/tool-set.js';
import { type LearningOptions, learningOptions } from '../learned-queries/learned-queries.js';
import { type CheckedRequest, checkedRequest, type SearchRequest } from './search-request.js';
import type { ToolView } from '../tool-views.js';
import { isForeign } from '../../search/text/languages.js';
import { isLanguageTag, type LanguageKeeper, ViewLanguages } from './view-languages.js';

export const finderOptions = object({
  /** Number of hits when the request has no limit. @default 5 */
  limit: whole(1, 20).default(5),
  /** @default 20 */
  maxLimit: whole(1, 100).default(20),
  /** Search types that `tool_search` offers to a model; programs may use all. @default ['bm25', 'exact'] */
  types: someOf(searchType()).default(['bm25', 'exact']),
  /** Search type used for `fts` where the engine has no full-text tables. @default 'bm25' */
  ftsFallback: oneOf('bm25', 'regex', 'exact').default('bm25'),
  /** Among equal scores, tools of these namespaces come first, in this order. @default [] */
  preferredNamespaces: list(text()).default([]),
  /** Minimum score of a hit, for models, programs and hints; 0 to 1. @default 0, every hit counts */
  minScore: share().default(0),
  /** Maximum tokens of all descriptions in one reply. @default 600 */
  replyTokens: whole(50, 100_000).default(600),
  /**
   * Maximum tokens of definitions that one search may add to a run's list. The best hit is always added; hits beyond
   * the limit are only named, and listed after they are read with `tool_get`. 0 = no limit. @default 800
   */
  offerTokens: whole(0, 1_000_000).default(800),
  /**
   * The language in which the tools are described, as a tag of BCP 47 (`'de'`): the search tool and its hints ask models to
   * search in it. @default found from the descriptions that the caller sees
   */
  language: described(z.string().refine(isLanguageTag), "a language as in BCP 47, such as 'de'").optional(),
  /** Learn from searches that lead to a call. @default off */
  learning: part<LearningOptions>(learningOptions),
});

export interface FinderOptions extends OptionsOf<typeof finderOptions> {}

export interface FoundHit extends Omit<SearchHit, 'similar'> {
  readonly tool: ToolDefinition;
  /** Near-identical tools that are not hits themselves, best first. */
  readonly similar: readonly ToolDefinition[];
  /** Positions of the request's queries that found it, ascending. */
  readonly queries: readonly number[];
}

export interface Found {
  readonly searchId: string;
  readonly request: CheckedRequest;
  readonly hits: readonly FoundHit[];
  readonly searchType: SearchAnswer['searchType'];
  readonly unmatched: readonly string[];
  /** The best verdict of the queries. */
  readonly verdict: SearchAnswer['verdict'];
  /** The language of the tools, as a tag of BCP 47; empty if it is not clear. */
  readonly language: string;
  /** The result of each query, in the request's order. */
  readonly answers: readonly (Pick<SearchAnswer, 'verdict' | 'unmatched' | 'matching'> & {
    readonly names: readonly string[];
  })[];
  /** Whether a query had more words than the index uses. */
  readonly isTruncated: boolean;
}

export interface FindOptions {
  /** Whether the run has this tool already; among equal scores, other tools come first. @default no tool */
  readonly isKnown?: (tool: ToolDefinition) => boolean;
  /** Learned queries of the caller's tenant. @default none */
  readonly learned?: LearnedOverlay | undefined;
  /** The run that searches, which keeps the language of its tools. @default the language follows from the view alone */
  readonly run?: LanguageKeeper;
  readonly signal?: AbortSignal;
}

/** Maximum number of tied hits that are compared; well above any limit. */
const MAX_TIED = 500;

export class ToolFinder {
  readonly #languages: ViewLanguages;

  constructor(
    private readonly index: ToolIndex | undefined,
    private readonly settings: SettingsOf<typeof finderOptions>,
  ) {
    this.#languages = new ViewLanguages(settings.language);
  }

  /**
   * The language in which models should search, as a tag of BCP 47; empty if it is not clear.
   *
   * @param run keeps the language. @default it follows from the view alone
   */
  languageOf(view: ToolView, run?: LanguageKeeper): string {
    return this.#languages.of(view, run);
  }

  /** @throws ToolSearchError for an invalid request, with a hint */
  async find(request: SearchRequest, view: ToolView, options: FindOptions = {}): Promise<Found> {
    const { isKnown, learned, run, signal } = options;
    const { index } = this;
    if (!index) {
      throw new ToolSearchError('INVALID_REQUEST', 'Search is switched off: all tools are listed.', {
        hint: "Call a listed tool, or set exposure to 'auto' or 'deferred'.",
      });
    }
    const { limit, maxLimit, ftsFallback, minScore } = this.settings;
    const checked = checkedRequest(request, { limit, maxLimit });
    const { namespace, type, fields, explain, loading = 'deferred' } = checked;
    const ofLoading = loading === 'deferred' ? view.deferred : view.alwaysLoaded;
    const pool = checked.includeAlwaysLoaded ? view.visible : ofLoading;
    const among = namespace === undefined ? pool : pool.filter((id) => view.snapshot.at(id).namespace === namespace);
    const effective = type === 'fts' && index.engine !== 'fts5' ? ftsFallback : type;
    const order = this.#tieOrder(view, isKnown);
    const language = this.languageOf(view, run);
    const isByWords = effective === 'bm25' || effective === 'fts';
    const answers: SearchAnswer[] = [];
    for (const text of checked.queries) {
      const query = {
        text,
        type: effective,
        limit: checked.limit,
        among,
        ...(fields && { fields }),
        ...(learned && { learned }),
      };
      // Before any source has loaded, the engine knows no snapshot yet.
      const ask = async (depth: number): Promise<SearchAnswer> =>
        view.snapshot.size === 0
          ? { hits: [], searchType: { requested: type, effective }, unmatched: [], verdict: 'none' }
          : index.search({ ...query, limit: depth, ...(explain && { explain }) }, view.snapshot, view.visible, signal);
      const answer = settled(await askSettled(ask, query, order), among, minScore, order);
      // Words of another language match by chance, or by a name: no evidence that a tool fits.
      const isChance = answer.verdict === 'found' && isByWords && isForeign(text, language);
      answers.push(isChance ? { ...answer, verdict: 'weak' } : answer);
    }
    const hits = merged(answers, view, among, checked);
    return {
      searchId: randomUUID(),
      request: checked,
      hits,
      searchType: { requested: type, effective: answers[0]?.searchType.effective ?? effective },
      unmatched: [...new Set(answers.flatMap((answer) => answer.unmatched))],
      verdict: bestVerdict(answers),
      language,
      answers: answers.map(({ verdict, unmatched, matching, hits: own }) => ({
        verdict,
        unmatched,
        ...(matching !== undefined && { matching }),
        names: own.slice(0, checked.limit).map(({ id }) => view.snapshot.at(id).name),
      })),
      isTruncated: answers.some(({ truncated }) => truncated),
    };
  }

  /** Rank of a tool among equal scores: tools that the run does not have yet first, then preferred namespaces. */
  #tieOrder(view: ToolView, isKnown: FindOptions['isKnown'] = () => false): TieOrder {
    const preferred = this.settings.preferredNamespaces;
    return {
      isPartial: preferred.length > 0,
      rankOf: ({ id }) => {
        const tool = view.snapshot.at(id);
        const byNamespace = preferred.indexOf(tool.namespace) + 1 || preferred.length + 1;
        return (isKnown(tool) ? preferred.length + 1 : 0) + byNamespace;
      },
    };
  }
}

interface TieOrder {
  /** Whether tied hits beyond the limit may precede any of those within it. */
  readonly isPartial: boolean;
  /** Lower comes first; equal ranks keep the index's order, by name. */
  readonly rankOf: (hit: SearchHit) => number;
}

/** Settles ties before the list is cut: one additional hit shows whether the cut separates equal scores. */
async function askSettled(
  ask: (depth: number) => Promise<SearchAnswer>,
  { limit }: Pick<ToolQuery, 'limit'>,
  { isPartial, rankOf }: TieOrder,
): Promise<SearchAnswer> {
  const answer = await ask(limit + 1);
  const beyond = answer.hits[limit];
  const tied = answer.hits.filter(({ score }) => score === beyond?.score);
  // If all tied hits have the best rank, tied hits that follow by name cannot precede them.
  const isSettled = tied.length < 2 || !(isPartial || tied.some((hit) => rankOf(hit) > 1));
  return isSettled ? answer : ask(MAX_TIED);
}

// The index decides the order, not the access: drop hits outside the pool. A verdict never hides hits.
function settled(answer: SearchAnswer, among: ToolSet, minScore: number, { rankOf }: TieOrder): SearchAnswer {
  const counts = ({ id, score }: SearchHit) => among.has(id) && score >= minScore;
  const hits = answer.hits.filter(counts);
  return {
    ...answer,
    hits: hits.toSorted((left, right) => right.score - left.score || rankOf(left) - rankOf(right)),
    verdict: hits.length === 0 ? 'none' : answer.verdict === 'found' ? 'found' : 'weak',
  };
}

function bestVerdict(answers: readonly SearchAnswer[]): SearchVerdict {
  const isAnswered = (verdict: SearchVerdict): boolean => answers.some((answer) => answer.verdict === verdict);
  return isAnswered('found') ? 'found' : isAnswered('weak') ? 'weak' : 'none';
}

// Each query's best hit comes before any query's second, because scores of different queries are not comparable.
function merged(
  answers: readonly SearchAnswer[],
  view: ToolView,
  among: ToolSet,
  { limit, maxHits }: Pick<CheckedRequest, 'limit' | 'maxHits'>,
): FoundHit[] {
  const chosen = new Map<number, SearchHit & { readonly queries: number[] }>();
  for (let rank = 0; rank < limit; rank++) {
    for (const [query, { hits }] of answers.entries()) {
      const hit = hits[rank];
      if (!hit) continue;
      const before = chosen.get(hit.id);
      if (!before && chosen.size < maxHits) chosen.set(hit.id, { ...hit, queries: [query] });
      if (!before) continue;
      before.queries.push(query);
      if (before.matched && hit.matched)
        chosen.set(hit.id, { ...before, matched: [...new Set([...before.matched, ...hit.matched])] });
    }
  }
  return Array.from(chosen.values(), ({ similar = [], queries, ...hit }) => ({
    ...hit,
    queries: queries.toSorted((left, right) => left - right),
    tool: view.snapshot.at(hit.id),
    similar: similar.filter((id) => among.has(id) && !chosen.has(id)).map((id) => view.snapshot.at(id)),
  }));
}
