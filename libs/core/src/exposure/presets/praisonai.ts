import { isToolSearchError } from '../../tool/tool-search.error.js';
import { flagArgument, metaTool, nameHint, textArgument } from '../../toolbox/meta-tools/meta-arguments.js';
import { OWN_META_NAMES } from '../../tool/meta-names.js';
import type { MetaSettings, MetaToolSpec } from '../../toolbox/meta-tools/meta-tool-spec.js';
import { loadTool } from '../../toolbox/meta-tools/meta-tools.js';
import { summarizedNote } from '../../toolbox/search/get-for-model.js';
import { checkKeys } from '../../toolbox/search/search-request.js';
import type { Preset } from './preset.js';

/** `PRAISONAI_CORE_TOOLS` of `praisonaiagents/tools/tool_search.py`: never deferred, in any namespace. */
const CORE_TOOLS = [
  ['read_file', 'write_file', 'list_files', 'get_file_info', 'copy_file', 'move_file', 'delete_file'],
  ['execute_command', 'list_processes', 'kill_process', 'get_system_info'],
  ['search_web', 'web_search', 'internet_search', 'web_crawl', 'crawl_web'],
  ['schedule_add', 'schedule_list', 'schedule_remove', 'store_memory', 'search_memory', 'clarify'],
]
  .flat()
  .flatMap((name) => [name, `*.${name}`]);

/**
 * PraisonAI's tool search: a bridge of three tools once the deferrable definitions take a tenth of the model's context
 * window, which is assumed to be 20,000 tokens if it is unknown. Defaults and meta tools as in
 * `praisonaiagents/tools/tool_search.py`. Not copied: its search and its descriptions reveal denied tools.
 */
export const PRAISONAI: Preset = {
  names: { ...OWN_META_NAMES, get: 'tool_describe' },
  options: {
    defaultLoading: 'always',
    alwaysLoaded: CORE_TOOLS,
    exposure: { mode: 'auto', deferral: 'bridge', thresholdPct: 10, contextWindow: 20_000 },
    search: { limit: 5, maxLimit: 20, types: ['bm25'], replyTokens: 100_000 },
    // In a bridge a called tool takes no room in the list, so the number of tools is not limited.
    activation: { activateOn: 'call', maxTools: 0 },
  },
  dialect: (settings) => {
    const found = (then: string) => [searchTool(settings, then), describeTool(settings)];
    const bridge = [...found(`Run it with ${settings.names.call}.`), callTool(settings)];
    const direct = settings.withLoad
      ? [...found(`Load it with ${settings.names.load}.`), loadTool(settings)]
      : found('It can be called from the next step on.');
    return { specs: (mode) => (mode === 'bridge' ? bridge : direct) };
  },
};

function searchTool({ limit, maxLimit, names: { search, get } }: MetaSettings, then: string): MetaToolSpec {
  const properties = {
    query: { type: 'string', description: 'What the tool should do: action and object.' },
    limit: { type: 'integer', minimum: 1, maximum: maxLimit, default: limit },
  };
  return {
    kind: 'search',
    tool: metaTool(
      search,
      `Search for available tools by name or functionality. Read a tool you found with ${get}. ${then}`,
      properties,
      ['query'],
    ),
    answer: async (input, doors) => {
      checkKeys(input, Object.keys(properties));
      const query = textArgument(input, 'query', 'Say in a few words what the tool should do.');
      const limited = input['limit'] === undefined ? {} : { limit: input['limit'] as number };
      const { tools, totalDeferred } = await doors.search({ query, ...limited }, (description) => description);
      const results = tools.map(({ name, description }) => ({ name, description }));
      return { query, results, total_available: totalDeferred };
    },
  };
}

function describeTool({ names: { get, search } }: MetaSettings): MetaToolSpec {
  return {
    kind: 'get',
    tool: metaTool(
      get,
      `Get the full schema and documentation of a tool that ${search} found.`,
      { tool_name: { type: 'string', description: 'Exact tool name.' } },
      ['tool_name'],
    ),
    answer: async (input, doors) => {
      // Not of the original, and listed nowhere: the note of a summarized definition names it.
      checkKeys(input, ['tool_name', 'full']);
      const full = flagArgument(input, 'full', false);
      const asked = textArgument(input, 'tool_name', nameHint);
      const reply = await doors.get([asked], { includeExamples: false, full }).then(
        (found) => found,
        (error: unknown) => {
          if (isToolSearchError(error) && error.code === 'TOOL_NOT_AVAILABLE') return undefined;
          throw error;
        },
      );
      const tool = reply?.tools[0];
      if (!reply || !tool) return { tool_name: asked, error: 'This tool is not available.', found: false };
      const { name, description, inputSchema: parameters } = tool;
      return {
        tool_name: asked,
        schema: { type: 'function', function: { name, description, parameters } },
        found: true,
        ...summarizedNote(reply.summarized, `${get} {"tool_name":"${asked}","full":true}`),
      };
    },
  };
}

function callTool({ names: { call, get } }: MetaSettings): MetaToolSpec {
  return {
    kind: 'call',
    tool: metaTool(
      call,
      `Execute a tool with the given arguments, after reading it with ${get}.`,
      {
        tool_name: { type: 'string', description: 'Exact tool name.' },
        tool_args: { type: 'object', description: "By the tool's own schema." },
      },
      ['tool_name', 'tool_args'],
    ),
    unwrap: (input) => {
      checkKeys(input, ['tool_name', 'tool_args']);
      const name = textArgument(input, 'tool_name', nameHint);
      return { name, input: input['tool_args'] ?? {} };
    },
    wrap: (name, input) => ({ tool_name: name, tool_args: input }),
  };
}
