import { randomUUID } from 'node:crypto';
import { checkedQuery } from '../search/query-bounds.js';
import type { SearchAnswer, SearchHit, ToolIndex } from '../search/tool-index.js';
import { isObject } from '../tool/json.js';
import type { ToolDefinition } from '../tool/tool-definition.js';
import type { SearchType } from '../tool/tool-event.js';
import { ToolSearchError } from '../tool/tool-search.error.js';
import type { ToolView } from './tool-views.js';

/** What a model or a program asks for. */
export interface SearchRequest {
  readonly query?: string;
  /** Several wordings of one need, at most 5; their hits are merged. */
  readonly queries?: readonly string[];
  /** @default 'bm25' */
  readonly type?: SearchType;
  /** 1 to the maximum (20); a larger number is lowered to it and said so. @default 5 */
  readonly limit?: number;
  /** Only tools of this namespace. */
  readonly namespace?: string;
  /** Also find tools that are always listed. @default false */
  readonly includeAlwaysLoaded?: boolean;
}

/** Settings of searching. */
export interface FinderOptions {
  /** Hits when the request names no limit. @default 5 */
  readonly limit?: number;
  /** @default 20 */
  readonly maxLimit?: number;
  /** Search types that `tool_search` offers to a model; programs may use all. @default ['bm25', 'exact'] */
  readonly types?: readonly SearchType[];
  /** What `fts` falls back to where the engine has no full-text tables. @default 'bm25' */
  readonly ftsFallback?: 'bm25' | 'regex' | 'exact';
  /** Where scores tie, tools of these namespaces come first, in this order. @default [] */
  readonly preferredNamespaces?: readonly string[];
}

/** What was found, in the caller's view. */
export interface Found {
  readonly searchId: string;
  readonly hits: readonly (SearchHit & { readonly tool: ToolDefinition })[];
  readonly searchType: SearchAnswer['searchType'];
  readonly unmatched: readonly string[];
  readonly verdict: SearchAnswer['verdict'];
  /** Something the caller should know, for example that the limit was lowered. */
  readonly notice?: string;
}

const TYPES: readonly SearchType[] = ['bm25', 'fts', 'exact', 'regex'];
const MAX_QUERIES = 5;
const MAX_LIMIT = 20;
const FIELDS = ['query', 'queries', 'type', 'limit', 'namespace', 'includeAlwaysLoaded'];

/** Checks search requests and asks the index about what the caller can see. */
export class ToolFinder {
  constructor(
    private readonly index: ToolIndex | undefined,
    private readonly options: FinderOptions = {},
  ) {}

  /** @throws ToolSearchError for every fault of the request, with what to do instead */
  async find(request: SearchRequest, view: ToolView, signal?: AbortSignal): Promise<Found> {
    if (!this.index) {
      throw new ToolSearchError('INVALID_REQUEST', 'Search is switched off: all tools are listed.', {
        hint: "Call a listed tool, or set exposure to 'auto' or 'deferred'.",
      });
    }
    const { queries, type, limit, notice } = this.#checked(request);
    const pool = request.includeAlwaysLoaded ? view.visible : view.deferred;
    const { namespace } = request;
    const among = namespace === undefined ? pool : pool.filter((id) => view.snapshot.at(id).namespace === namespace);
    const effective = type === 'fts' && this.index.engine !== 'fts5' ? (this.options.ftsFallback ?? 'bm25') : type;
    const preferred = this.options.preferredNamespaces ?? [];
    // Ties are settled before the list is cut.
    const depth = preferred.length > 0 ? Math.max(limit, this.options.maxLimit ?? MAX_LIMIT) : limit;
    const answers: SearchAnswer[] = [];
    for (const text of queries) {
      answers.push(
        await this.index.search({ text, type: effective, limit: depth, among }, view.snapshot, view.visible, signal),
      );
    }
    const hits = this.#merged(answers, view, limit);
    return {
      searchId: randomUUID(),
      hits,
      searchType: { requested: type, effective: answers[0]?.searchType.effective ?? effective },
      unmatched: [...new Set(answers.flatMap((answer) => answer.unmatched))],
      verdict: hits.length > 0 ? 'found' : 'none',
      ...(notice !== undefined && { notice }),
    };
  }

  #checked(request: SearchRequest): { queries: string[]; type: SearchType; limit: number; notice?: string } {
    if (!isObject(request as unknown))
      throw invalid('A search must be an object with a query.', 'Send { "query": "what the tool should do" }.');
    const unknown = Object.keys(request).find((key) => !FIELDS.includes(key));
    if (unknown !== undefined)
      throw invalid(`Unknown field ${JSON.stringify(unknown.slice(0, 64))}.`, `Known fields: ${FIELDS.join(', ')}.`);
    const { query, queries, type = 'bm25', limit = this.options.limit ?? 5, namespace, includeAlwaysLoaded } = request;
    if (!TYPES.includes(type)) throw invalid('Unknown search type.', `Use one of ${TYPES.join(', ')}.`);
    if (namespace !== undefined && (typeof namespace !== 'string' || namespace.length > 128)) {
      throw invalid('namespace must be a string of at most 128 characters.', 'Leave it out to search everywhere.');
    }
    if (includeAlwaysLoaded !== undefined && typeof includeAlwaysLoaded !== 'boolean') {
      throw invalid(
        'includeAlwaysLoaded must be true or false.',
        'Leave it out unless you need tools you already have.',
      );
    }
    const maxLimit = this.options.maxLimit ?? MAX_LIMIT;
    if (!Number.isInteger(limit) || limit < 1) {
      throw invalid('limit must be a whole number from 1.', `Ask for 1 to ${maxLimit}, or leave it out.`);
    }
    if ((query === undefined) === (queries === undefined)) {
      throw invalid('Give either query or queries.', 'One text as query, several wordings of one need as queries.');
    }
    const texts: unknown = queries ?? [query];
    if (!Array.isArray(texts) || texts.length === 0 || texts.length > MAX_QUERIES) {
      throw invalid(`queries must be a list of 1 to ${MAX_QUERIES} strings.`, 'Search again for what is left.');
    }
    const checked = texts.map((text: unknown) => {
      if (typeof text !== 'string')
        throw invalid('A query must be a string.', 'Say in a few words what the tool should do.');
      return checkedQuery(text, type);
    });
    if (limit <= maxLimit) return { queries: checked, type, limit };
    return { queries: checked, type, limit: maxLimit, notice: `limit was lowered to ${maxLimit}, the maximum` };
  }

  // Each wording's best hit comes before any wording's second: scores of different queries do not compare.
  #merged(answers: readonly SearchAnswer[], view: ToolView, limit: number): Found['hits'] {
    const merged = new Map<number, SearchHit & { tool: ToolDefinition }>();
    const ranked = answers.map(({ hits }) => this.#preferred(hits, view));
    for (let rank = 0; rank < limit; rank++) {
      for (const hits of ranked) {
        const hit = hits[rank];
        if (hit && !merged.has(hit.id)) merged.set(hit.id, { ...hit, tool: view.snapshot.at(hit.id) });
      }
    }
    return [...merged.values()].slice(0, limit);
  }

  #preferred(hits: readonly SearchHit[], view: ToolView): readonly SearchHit[] {
    const preferred = this.options.preferredNamespaces ?? [];
    if (preferred.length === 0) return hits;
    const rankOf = ({ id }: SearchHit) => preferred.indexOf(view.snapshot.at(id).namespace) + 1 || preferred.length + 1;
    return hits.toSorted((left, right) => right.score - left.score || rankOf(left) - rankOf(right));
  }
}

function invalid(message: string, hint: string): ToolSearchError {
  return new ToolSearchError('INVALID_ARGUMENTS', message, { hint });
}
