import { PATTERN_FIELDS } from '../search/match-pattern.js';
import type { JsonSchema } from '../tool/json.js';
import type { SearchType } from '../tool/tool-event.js';
import { ToolSearchError } from '../tool/tool-search.error.js';
import { checkKeys, MAX_QUERIES, type SearchRequest } from './search-request.js';
import type { MetaTool } from './surface.js';

const TYPE_MEANINGS: Record<SearchType, string> = {
  bm25: 'bm25 ranks by words',
  fts: 'fts uses the full-text index',
  exact: 'exact matches a name, alias or tag',
  regex: 'regex matches a pattern',
};

const NAMES = { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 10, description: 'Exact tool names.' };

/** The meta tools a model is given, described for it. */
export function metaTools(options: {
  readonly types: readonly SearchType[];
  readonly limit: number;
  readonly maxLimit: number;
  readonly withLoad: boolean;
}): readonly MetaTool[] {
  const tools: MetaTool[] = [
    {
      name: 'tool_search',
      description:
        'Find tools that are not listed yet. ' +
        (options.withLoad ? 'Then load what you need with tool_load.' : 'They can be called from the next step on.'),
      inputSchema: object({
        query: { type: 'string', description: 'Action and object, without values: "create a calendar event".' },
        queries: {
          type: 'array',
          items: { type: 'string' },
          maxItems: MAX_QUERIES,
          description: 'Instead of query: several wordings or needs.',
        },
        type: {
          type: 'string',
          enum: options.types,
          default: defaultType(options.types),
          description: options.types.map((type) => TYPE_MEANINGS[type]).join('; '),
        },
        ...(options.types.includes('regex') && {
          fields: { type: 'array', items: { type: 'string', enum: PATTERN_FIELDS }, description: 'Where regex looks.' },
        }),
        limit: { type: 'integer', minimum: 1, maximum: options.maxLimit, default: options.limit },
        namespace: { type: 'string', description: 'Search only one namespace.' },
        includeAlwaysLoaded: { type: 'boolean', default: false },
      }),
    },
    {
      name: 'tool_get',
      description: 'Read the full definition of tools you found: arguments, side effects and examples.',
      inputSchema: object(
        {
          names: NAMES,
          includeSchemas: { type: 'boolean', default: true },
          includeExamples: { type: 'boolean', default: true },
        },
        ['names'],
      ),
    },
  ];
  if (options.withLoad) {
    tools.push({
      name: 'tool_load',
      description: 'Load tools you found, so that you can call them from the next step on.',
      inputSchema: object({ names: NAMES }, ['names']),
    });
  }
  return tools;
}

function object(properties: Record<string, unknown>, required: readonly string[] = []): JsonSchema {
  return { type: 'object', properties, ...(required.length > 0 && { required }), additionalProperties: false };
}

/**
 * What a model asks of `tool_search`, as a request with a type that it is offered.
 *
 * @throws ToolSearchError `INVALID_ARGUMENTS` for a field or a type that it is not offered
 */
export function modelSearch(
  input: SearchRequest,
  meta: readonly MetaTool[],
  types: readonly SearchType[],
): SearchRequest {
  const { properties } = meta.find(({ name }) => name === 'tool_search')?.inputSchema ?? {};
  checkKeys(input, Object.keys(properties ?? {}));
  const { type = defaultType(types) } = input;
  if (!types.includes(type)) {
    throw new ToolSearchError('INVALID_ARGUMENTS', 'Unknown search type.', { hint: `Use one of ${types.join(', ')}.` });
  }
  return { ...input, type };
}

/** The search type a model gets when it names none: ranked words where they are offered. */
function defaultType(types: readonly SearchType[]): SearchType {
  return types.includes('bm25') ? 'bm25' : (types[0] ?? 'bm25');
}
