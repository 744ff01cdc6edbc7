import type { DescribedTool } from '../../toolbox/search/described-tool.js';
import { flagArgument, metaTool, offeredType, textArgument } from '../../toolbox/meta-tools/meta-arguments.js';
import { OWN_META_NAMES } from '../../tool/meta-names.js';
import type { MetaSettings, MetaToolSpec } from '../../toolbox/meta-tools/meta-tool-spec.js';
import { callTool, loadTool } from '../../toolbox/meta-tools/meta-tools.js';
import { summarizedNote } from '../../toolbox/search/get-for-model.js';
import { checkKeys, type SearchRequest } from '../../toolbox/search/search-request.js';
import type { Preset } from './preset.js';

/** The largest limit that the original accepts. */
const MAX_LIMIT = 20;

/**
 * PenguiFlow's `ReactPlanner`: tools are always loaded by default, and a deferred tool is activated by its first call.
 * Defaults as in `penguiflow/planner/models.py`, meta tools as in `tool_search_tool.py` and `tool_get_tool.py` beside
 * it. Its full-text scores are not copied: they are the same for every hit.
 */
export const PENGUIFLOW: Preset = {
  names: OWN_META_NAMES,
  options: {
    defaultLoading: 'always',
    alwaysLoaded: ['tasks.*', 'finish'],
    exposure: {
      mode: 'deferred',
      hints: { enabled: false, topK: 5, includeAlwaysLoaded: false, type: 'fts' },
      directory: {
        enabled: false,
        maxGroups: 20,
        maxToolsPerGroup: 6,
        includeToolCounts: true,
        includeDefaultGroups: true,
      },
    },
    // Descriptions are not truncated, so the answer must have room for ten of any length.
    // bm25 is the name of its RFC for ranking by words, fts the one of its code.
    search: { limit: 8, maxLimit: 10, types: ['fts', 'bm25', 'regex', 'exact'], replyTokens: 100_000 },
    activation: { scope: 'run', activateOn: 'call' },
    examples: { enabled: true, maxPerTool: 3, includeDescriptions: true, inDefinitions: true },
  },
  dialect: (settings) => {
    const found = [searchTool(settings), getTool(settings)];
    const direct = settings.withLoad ? [...found, loadTool(settings)] : found;
    return { specs: (mode) => (mode === 'bridge' ? [...found, callTool(settings)] : direct) };
  },
};

function searchTool({ types, limit, maxLimit, names }: MetaSettings): MetaToolSpec {
  const byDefault = types.includes('fts') ? 'fts' : (types[0] ?? 'bm25');
  const properties = {
    query: { type: 'string', description: 'What the tool should do (action and object), a pattern, or a name.' },
    search_type: {
      type: 'string',
      enum: types,
      default: byDefault,
      description: 'fts and bm25 rank by words, regex matches a pattern, exact a name or tag.',
    },
    limit: { type: 'integer', minimum: 1, maximum: Math.max(MAX_LIMIT, maxLimit), default: limit },
    include_always_loaded: { type: 'boolean', default: false },
  };
  return {
    kind: 'search',
    tool: metaTool(names.search, 'Discover tools by capability and keywords.', properties, ['query']),
    answer: async (input, doors) => {
      checkKeys(input, Object.keys(properties));
      const query = textArgument(input, 'query', 'Say in a few words what the tool should do.');
      const type = offeredType(input['search_type'], types, byDefault);
      const request: SearchRequest = {
        query,
        type,
        includeAlwaysLoaded: flagArgument(input, 'include_always_loaded', false),
        ...(input['limit'] !== undefined && { limit: input['limit'] as number }),
      };
      const { tools, searchType, totalDeferred } = await doors.search(request, (description) => description);
      // Its name for ranking by words is fts, whichever engine does it.
      const word = (match: string) => (type === 'fts' && match === 'bm25' ? 'fts' : match);
      return {
        tools: tools.map(({ name, description, score, match, loading }) => ({
          name,
          description,
          score,
          match_type: word(match),
          loading_mode: loading,
        })),
        total_deferred: totalDeferred,
        query,
        search_type: word(searchType.effective),
      };
    },
  };
}

function getTool({ names: { get, search } }: MetaSettings): MetaToolSpec {
  const properties = {
    names: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 10 },
    include_schemas: { type: 'boolean', default: true },
    include_examples: { type: 'boolean', default: true },
  };
  return {
    kind: 'get',
    tool: metaTool(get, `Fetch the schemas and examples of tools found with ${search}, by name.`, properties, [
      'names',
    ]),
    answer: async (input, doors) => {
      // Not of the original, and listed nowhere: the note of a summarized definition names it.
      checkKeys(input, [...Object.keys(properties), 'full']);
      const requested = input['names'] as string[];
      const includeSchemas = flagArgument(input, 'include_schemas', true);
      const includeExamples = flagArgument(input, 'include_examples', true);
      const full = flagArgument(input, 'full', false);
      const { tools, summarized } = await doors.get(requested, { includeSchemas, includeExamples, full });
      const records = { tools: tools.map(toolRecord), requested, returned: tools.length, format: 'tool_record' };
      return { ...records, ...summarizedNote(summarized, `${get} {"names":["…"],"full":true}`) };
    },
  };
}

/** All keys are always present, as in the original. `extra` stays empty: here it belongs to the application. */
function toolRecord(tool: DescribedTool): Record<string, unknown> {
  return {
    name: tool.name,
    desc: tool.description,
    side_effects: tool.sideEffects,
    loading_mode: tool.loading,
    tags: tool.tags,
    auth_scopes: tool.authScopes,
    cost_hint: tool.costHint ?? null,
    latency_hint_ms: tool.latencyHintMs ?? null,
    safety_notes: tool.safetyNotes ?? null,
    args_schema: tool.inputSchema ?? null,
    out_schema: tool.outputSchema ?? null,
    extra: {},
    examples: (tool.examples ?? []).map(({ args, description = null, tags = [] }) => ({ args, description, tags })),
  };
}
