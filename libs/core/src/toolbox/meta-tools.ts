import type { JsonSchema } from '../tool/json.js';
import type { SearchType } from '../tool/tool-event.js';
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
        'Find tools by what they can do. Most tools are not listed until you search for them. ' +
        'Describe the action and its object in a few words, for example "create a calendar event". ' +
        (options.withLoad
          ? 'Then load what you need with tool_load.'
          : 'Tools that are found can be called from the next step on.'),
      inputSchema: object(
        {
          query: { type: 'string', description: 'What the tool should do.' },
          type: {
            type: 'string',
            enum: options.types,
            default: defaultType(options.types),
            description: options.types.map((type) => TYPE_MEANINGS[type]).join('; '),
          },
          limit: { type: 'integer', minimum: 1, maximum: options.maxLimit, default: options.limit },
          namespace: { type: 'string', description: 'Search only one namespace.' },
          includeAlwaysLoaded: { type: 'boolean', default: false },
        },
        ['query'],
      ),
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

function object(properties: Record<string, unknown>, required: readonly string[]): JsonSchema {
  return { type: 'object', properties, required, additionalProperties: false };
}

/** The search type a model gets when it names none: ranked words where they are offered. */
export function defaultType(types: readonly SearchType[]): SearchType {
  return types.includes('bm25') ? 'bm25' : (types[0] ?? 'bm25');
}
