import { PATTERN_FIELDS } from '../../search/tool-index.js';
import type { SearchType } from '../../tool/tool-event.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import { metaTool, nameHint, offeredType } from './meta-arguments.js';
import type { MetaDialect, MetaSettings, MetaToolSpec } from './meta-tool-spec.js';
import { getForModel } from '../search/get-for-model.js';
import { searchForModel } from '../search/search-for-model.js';
import { checkKeys, MAX_QUERIES } from '../search/search-request.js';
import type { DeferringMode, MetaTool } from '../surface/surface.js';

const TYPE_MEANINGS: Record<SearchType, string> = {
  bm25: 'bm25 ranks by words',
  fts: 'fts uses the full-text index',
  exact: 'exact matches a name, alias or tag',
  regex: 'regex matches a pattern',
};

const NAMES = { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 10, description: 'Exact tool names.' };

export function ownDialect(settings: MetaSettings): MetaDialect {
  const get = getTool(settings);
  const direct = [
    searchTool(settings, nextStep(settings), settings.names.get),
    get,
    ...(settings.withLoad ? [loadTool(settings)] : []),
  ];
  const bridge = [searchTool(settings, `Call them with ${settings.names.call}.`), get, callTool(settings)];
  return { specs: (mode: DeferringMode) => (mode === 'bridge' ? bridge : direct) };
}

/** @param reads the tool that lists a found tool by reading it; absent in a mode that never lists one */
function searchTool({ types, limit, maxLimit, names }: MetaSettings, then: string, reads?: string): MetaToolSpec {
  const properties = {
    query: { type: 'string', description: queryText() },
    queries: {
      type: 'array',
      items: { type: 'string' },
      maxItems: MAX_QUERIES,
      description: 'Instead of query: one entry for each step of the task.',
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
  const tool = (language?: string) =>
    metaTool(names.search, `Find tools that are not listed yet. ${then}`, {
      ...properties,
      query: { type: 'string', description: queryText(language) },
    });
  const inLanguages = new Map<string, MetaTool>();
  return {
    kind: 'search',
    tool: tool(),
    inLanguage: (name) => {
      const known = inLanguages.get(name) ?? tool(name);
      inLanguages.set(name, known);
      return known;
    },
    answer: async (input, doors) => {
      checkKeys(input, Object.keys(properties));
      const type = offeredType(input['type'], types, defaultType(types));
      return searchForModel(await doors.search({ ...input, type }), reads);
    },
  };
}

function queryText(language?: string): string {
  return `Action and object${language === undefined ? '' : `, in ${language}`}, without values: "create a calendar event".`;
}

function nextStep({ withLoad, names }: MetaSettings): string {
  return withLoad ? `Then load what you need with ${names.load}.` : 'They can be called from the next step on.';
}

/** Reads definitions. Also used by dialects without a tool of their own for this. */
export function getTool({ names: { get } }: MetaSettings): MetaToolSpec {
  return {
    kind: 'get',
    tool: metaTool(
      get,
      'Read found tools: arguments, effects, examples.',
      {
        names: NAMES,
        includeSchemas: { type: 'boolean', default: true },
        includeExamples: { type: 'boolean', default: true },
        full: { type: 'boolean' },
      },
      ['names'],
    ),
    answer: async ({ names, includeSchemas, includeExamples, full }, doors) =>
      getForModel(
        await doors.get(names as string[], {
          includeSchemas: includeSchemas !== false,
          includeExamples: includeExamples !== false,
          full: full === true,
        }),
        `${get} {"names":["…"],"full":true}`,
      ),
  };
}

/** Loads tools. Also used by dialects without a tool of their own for this. */
export function loadTool({ names: { load } }: MetaSettings): MetaToolSpec {
  return {
    kind: 'load',
    tool: metaTool(load, 'Load tools you found, so that you can call them from the next step on.', { names: NAMES }, [
      'names',
    ]),
    answer: ({ names }, doors) => doors.activate(names as string[]),
  };
}

/** Calls tools through a bridge. Also used by dialects without a tool of their own for this. */
export function callTool({ names: { get, call } }: MetaSettings): MetaToolSpec {
  return {
    kind: 'call',
    tool: metaTool(
      call,
      `Call a tool you found. Read its arguments with ${get} first.`,
      {
        name: { type: 'string', description: 'Exact tool name.' },
        arguments: { type: 'object', description: "By the tool's own schema." },
      },
      ['name'],
    ),
    unwrap: (input) => {
      checkKeys(input, ['name', 'arguments']);
      if (typeof input['name'] !== 'string') {
        throw new ToolSearchError('INVALID_ARGUMENTS', 'name must be the name of a tool.', {
          hint: nameHint,
        });
      }
      return { name: input['name'], input: input['arguments'] ?? {} };
    },
    wrap: (name, input) => ({ name, arguments: input }),
  };
}

/** The search type when a model names none: `bm25` where it is offered. */
function defaultType(types: readonly SearchType[]): SearchType {
  return types.includes('bm25') ? 'bm25' : (types[0] ?? 'bm25');
}
