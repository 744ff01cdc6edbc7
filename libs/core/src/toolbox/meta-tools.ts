import { PATTERN_FIELDS } from '../search/match-pattern.js';
import type { JsonSchema } from '../tool/json.js';
import type { SearchType } from '../tool/tool-event.js';
import { ToolSearchError } from '../tool/tool-search.error.js';
import type { MetaDialect, MetaSettings, MetaToolSpec } from './meta-tool-spec.js';
import { searchForModel } from './search-for-model.js';
import { checkKeys, MAX_QUERIES, type SearchRequest } from './search-request.js';
import type { DeferringMode } from './surface.js';

const TYPE_MEANINGS: Record<SearchType, string> = {
  bm25: 'bm25 ranks by words',
  fts: 'fts uses the full-text index',
  exact: 'exact matches a name, alias or tag',
  regex: 'regex matches a pattern',
};

const NAMES = { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 10, description: 'Exact tool names.' };

/** The library's own dialect: `tool_search`, `tool_get`, `tool_load` where tools are loaded, `tool_call` in a bridge. */
export function ownDialect(settings: MetaSettings): MetaDialect {
  const direct = [searchTool(settings), GET, ...(settings.withLoad ? [LOAD] : [])];
  const bridge = [searchTool(settings, BRIDGE_HINT), GET, CALL];
  return { specs: (mode: DeferringMode) => (mode === 'bridge' ? bridge : direct) };
}

const BRIDGE_HINT = 'Call them with tool_call.';

function searchTool(settings: MetaSettings, then = nextStep(settings)): MetaToolSpec {
  const { types, limit, maxLimit } = settings;
  const properties = {
    query: { type: 'string', description: 'Action and object, without values: "create a calendar event".' },
    queries: {
      type: 'array',
      items: { type: 'string' },
      maxItems: MAX_QUERIES,
      description: 'Instead of query: several wordings or needs.',
    },
    type: {
      type: 'string',
      enum: types,
      default: defaultType(types),
      description: types.map((type) => TYPE_MEANINGS[type]).join('; '),
    },
    ...(types.includes('regex') && {
      fields: { type: 'array', items: { type: 'string', enum: PATTERN_FIELDS }, description: 'Where regex looks.' },
    }),
    limit: { type: 'integer', minimum: 1, maximum: maxLimit, default: limit },
    namespace: { type: 'string', description: 'Search only one namespace.' },
    includeAlwaysLoaded: { type: 'boolean', default: false },
  };
  return {
    kind: 'search',
    tool: {
      name: 'tool_search',
      description: `Find tools that are not listed yet. ${then}`,
      inputSchema: object(properties),
    },
    answer: async (input, doors) => {
      checkKeys(input, Object.keys(properties));
      return searchForModel(await doors.search({ ...input, type: offeredType(input as SearchRequest, types) }));
    },
  };
}

function nextStep({ withLoad }: MetaSettings): string {
  return withLoad ? 'Then load what you need with tool_load.' : 'They can be called from the next step on.';
}

const GET: MetaToolSpec = {
  kind: 'get',
  tool: {
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
  answer: ({ names, includeSchemas, includeExamples }, doors) =>
    doors.get(names as string[], {
      includeSchemas: includeSchemas !== false,
      includeExamples: includeExamples !== false,
    }),
};

const LOAD: MetaToolSpec = {
  kind: 'load',
  tool: {
    name: 'tool_load',
    description: 'Load tools you found, so that you can call them from the next step on.',
    inputSchema: object({ names: NAMES }, ['names']),
  },
  answer: ({ names }, doors) => doors.activate(names as string[]),
};

const CALL: MetaToolSpec = {
  kind: 'call',
  tool: {
    name: 'tool_call',
    description: 'Call a tool you found. Read its arguments with tool_get first.',
    inputSchema: object(
      {
        name: { type: 'string', description: 'Exact tool name.' },
        arguments: { type: 'object', description: "By the tool's own schema." },
      },
      ['name'],
    ),
  },
  unwrap: (input) => {
    checkKeys(input, ['name', 'arguments']);
    if (typeof input['name'] !== 'string') {
      throw new ToolSearchError('INVALID_ARGUMENTS', 'name must be the name of a tool.', {
        hint: 'Copy it from a tool_search answer.',
      });
    }
    return { name: input['name'], input: input['arguments'] ?? {} };
  },
};

function object(properties: Record<string, unknown>, required: readonly string[] = []): JsonSchema {
  return { type: 'object', properties, ...(required.length > 0 && { required }), additionalProperties: false };
}

/** The type a model asked for, if it is offered. @throws ToolSearchError `INVALID_ARGUMENTS` */
function offeredType({ type }: SearchRequest, types: readonly SearchType[]): SearchType {
  if (type === undefined) return defaultType(types);
  if (types.includes(type)) return type;
  throw new ToolSearchError('INVALID_ARGUMENTS', 'Unknown search type.', { hint: `Use one of ${types.join(', ')}.` });
}

/** The search type a model gets when it names none: ranked words where they are offered. */
function defaultType(types: readonly SearchType[]): SearchType {
  return types.includes('bm25') ? 'bm25' : (types[0] ?? 'bm25');
}
