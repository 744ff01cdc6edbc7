import { checkedQuery } from '../../search/query-bounds.js';
import { PATTERN_FIELDS, type PatternField } from '../../search/tool-index.js';
import { isObject } from '../../json/json.js';
import type { Loading } from '../../tool/tool-definition.js';
import type { SearchType } from '../../tool/tool-event.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';

/** A search by a model or a program. */
export interface SearchRequest {
  readonly query?: string;
  /** One text for each step of a task, or several wordings of one need; at most 5. Their hits are merged. */
  readonly queries?: readonly string[];
  /** @default 'bm25' */
  readonly type?: SearchType;
  /**
   * Hits of each query, 1 to the maximum (20), which is also the maximum of all together; a larger number is lowered to it,
   * with a notice. @default 5
   */
  readonly limit?: number;
  /** Only tools of this namespace. */
  readonly namespace?: string;
  /** Also find tools that are always listed. @default false */
  readonly includeAlwaysLoaded?: boolean;
  /** Only tools with this loading; instead of `includeAlwaysLoaded`. @default 'deferred' */
  readonly loading?: Loading;
  /** Fields that a pattern may match; only with the type `regex`. @default name, tags and description */
  readonly fields?: readonly PatternField[];
  /** Return the parts of each score; for programs. @default false */
  readonly explain?: boolean;
}

export interface CheckedRequest extends Omit<SearchRequest, 'query'> {
  /** At least one, checked and normalized for the index. */
  readonly queries: readonly string[];
  readonly type: SearchType;
  /** Hits of each query. */
  readonly limit: number;
  /** Hits of all queries together. */
  readonly maxHits: number;
  /** Whether the limit was lowered to the maximum. */
  readonly isLowered: boolean;
}

const TYPES: readonly SearchType[] = ['bm25', 'fts', 'exact', 'regex'];
/** Maximum number of queries in one search. */
export const MAX_QUERIES = 5;
const MAX_NAMESPACE = 128;
const FIELDS: readonly (keyof SearchRequest)[] = [
  'query',
  'queries',
  'type',
  'limit',
  'namespace',
  'includeAlwaysLoaded',
  'loading',
  'fields',
  'explain',
];

/**
 * Validates a search request and fills in its defaults. By hand and not by a schema, because it runs in every search, and each
 * field has a hint of its own for the model that is wrong about it.
 *
 * @throws ToolSearchError `INVALID_ARGUMENTS`, `INVALID_QUERY` or `QUERY_TOO_LONG`, with a hint
 */
export function checkedRequest(
  request: SearchRequest,
  defaults: { readonly limit: number; readonly maxLimit: number },
): CheckedRequest {
  if (!isObject(request as unknown))
    throw invalid('A search must be an object with a query.', 'Send { "query": "what the tool should do" }.');
  checkKeys(request, FIELDS);
  const { type = 'bm25', limit = defaults.limit, namespace, includeAlwaysLoaded, fields, explain } = request;
  const { loading } = request;
  if (!TYPES.includes(type)) throw invalid('Unknown search type.', `Use one of ${TYPES.join(', ')}.`);
  if (namespace !== undefined && (typeof namespace !== 'string' || namespace.length > MAX_NAMESPACE)) {
    throw invalid(
      `namespace must be a string of at most ${MAX_NAMESPACE} characters.`,
      'Leave it out to search everywhere.',
    );
  }
  checkFlag('includeAlwaysLoaded', includeAlwaysLoaded, 'Leave it out unless you need tools you already have.');
  if (loading !== undefined && loading !== 'always' && loading !== 'deferred') {
    throw invalid('loading must be always or deferred.', 'Leave it out to find deferred tools.');
  }
  if (loading !== undefined && includeAlwaysLoaded !== undefined) {
    throw invalid('Give either loading or includeAlwaysLoaded.', 'Leave both out to find deferred tools.');
  }
  checkFlag('explain', explain, 'Leave it out unless you need to know what scores are made of.');
  checkFields(fields, type);
  if (!Number.isInteger(limit) || limit < 1) {
    throw invalid('limit must be a whole number from 1.', `Ask for 1 to ${defaults.maxLimit}, or leave it out.`);
  }
  const queries = checkedQueries(request, type);
  return {
    queries,
    type,
    limit: Math.min(limit, defaults.maxLimit),
    maxHits: Math.min(limit * queries.length, defaults.maxLimit),
    isLowered: limit > defaults.maxLimit,
    ...(namespace !== undefined && { namespace }),
    ...(includeAlwaysLoaded !== undefined && { includeAlwaysLoaded }),
    ...(loading !== undefined && { loading }),
    ...(fields !== undefined && { fields }),
    ...(explain !== undefined && { explain }),
  };
}

/** @throws ToolSearchError `INVALID_ARGUMENTS` for an unknown field */
export function checkKeys(request: object, fields: readonly string[]): void {
  const unknown = Object.keys(request).find((key) => !fields.includes(key));
  if (unknown === undefined) return;
  throw invalid(`Unknown field ${JSON.stringify(unknown.slice(0, 64))}.`, `Known fields: ${fields.join(', ')}.`);
}

function checkFlag(name: string, value: unknown, hint: string): void {
  if (value !== undefined && typeof value !== 'boolean') throw invalid(`${name} must be true or false.`, hint);
}

function checkFields(fields: readonly PatternField[] | undefined, type: SearchType): void {
  if (fields === undefined) return;
  if (type !== 'regex') throw invalid('Only a search of type regex names fields.', 'Leave fields out.');
  const isList = Array.isArray(fields) && fields.length > 0 && fields.length <= PATTERN_FIELDS.length;
  if (!isList || !fields.every((field) => PATTERN_FIELDS.includes(field))) {
    throw invalid(
      `fields must be a list of 1 to ${PATTERN_FIELDS.length} known fields.`,
      `Use ${PATTERN_FIELDS.join(', ')}, or leave it out to look at all of them.`,
    );
  }
}

function checkedQueries({ query, queries }: SearchRequest, type: SearchType): string[] {
  if ((query === undefined) === (queries === undefined)) {
    throw invalid(
      'Give either query or queries.',
      'One text as query, or one text for each step of the task as queries.',
    );
  }
  const texts: readonly unknown[] = queries === undefined ? [query] : queries;
  if (!Array.isArray(texts) || texts.length === 0 || texts.length > MAX_QUERIES) {
    throw invalid(`queries must be a list of 1 to ${MAX_QUERIES} strings.`, 'Search again for what is left.');
  }
  return texts.map((text: unknown) => {
    if (typeof text !== 'string')
      throw invalid('A query must be a string.', 'Say in a few words what the tool should do.');
    return checkedQuery(text, type);
  });
}

function invalid(message: string, hint: string): ToolSearchError {
  return new ToolSearchError('INVALID_ARGUMENTS', message, { hint });
}
