import { truncated } from '../../json/safe-text.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import { metaTool, textArgument } from '../../toolbox/meta-tools/meta-arguments.js';
import { OWN_META_NAMES } from '../../tool/meta-names.js';
import type { MetaSettings, MetaToolSpec, ToolboxActions } from '../../toolbox/meta-tools/meta-tool-spec.js';
import { callTool, getTool } from '../../toolbox/meta-tools/meta-tools.js';
import type { ActivateReply } from '../../toolbox/meta-tools/replies.js';
import { checkKeys } from '../../toolbox/search/search-request.js';
import type { Preset } from './preset.js';

const MAX_CHARS = 150;
const MAX_SUGGESTIONS = 3;

/**
 * Mastra's `ToolSearchProcessor`: found tools are loaded by a meta tool or, with `activateOn: 'search'`, at once.
 * Defaults and meta tools as in `packages/core/src/processors/processors/tool-search.ts`. Two behaviours are not
 * copied: the single bucket that all callers without a thread share, and suggestions of tools that may not be loaded.
 */
export const MASTRA: Preset = {
  names: { ...OWN_META_NAMES, search: 'search_tools', load: 'load_tool' },
  options: {
    exposure: { mode: 'deferred' },
    search: { limit: 5, types: ['bm25'], minScore: 0, replyTokens: 100_000 },
    activation: { activateOn: 'load', idleTtlMs: 3_600_000 },
  },
  dialect: (settings) => {
    const then = settings.withAutoLoad
      ? 'Matching tools are loaded automatically and can be called from the next step on.'
      : settings.withLoad
        ? `Then use ${settings.names.load} to make what you need available.`
        : 'They can be called from the next step on.';
    const search = searchTool(settings, then);
    const direct = settings.withLoad ? [search, loadTool(settings)] : [search];
    const bridge = [
      // In a bridge no tool is listed, so the answer must not report loaded tools.
      searchTool({ ...settings, withAutoLoad: false }, `Call them with ${settings.names.call}.`),
      getTool(settings),
      callTool(settings),
    ];
    return { specs: (mode) => (mode === 'bridge' ? bridge : direct) };
  },
};

function searchTool({ names, withAutoLoad }: MetaSettings, then: string): MetaToolSpec {
  return {
    kind: 'search',
    tool: metaTool(
      names.search,
      `Search for available tools by keyword, when you need something that no listed tool does. ${then}`,
      { query: { type: 'string', description: 'Keywords: "github issue", "weather".' } },
      ['query'],
    ),
    answer: async (input, doors) => {
      checkKeys(input, ['query']);
      const query = textArgument(input, 'query', 'Give keywords.');
      const { tools, hint = 'Try different keywords.' } = await doors.search({ query }, shortened);
      // If searching loads tools, hits that may not be loaded are left out.
      const usable = withAutoLoad ? tools.filter(({ active, loading }) => active || loading === 'always') : tools;
      const results = usable.map(({ name, description, score }) => ({
        name,
        description,
        score: Math.round(score * 100) / 100,
      }));
      if (results.length === 0) return { results, message: `No tools found. ${hint}` };
      const loaded = results.map(({ name }) => name);
      if (!withAutoLoad) return { results, message: `Found ${results.length} tool(s). ${then}` };
      return {
        results,
        message: `Found and loaded ${results.length} tool(s): ${loaded.join(', ')}. Call them from the next step on.`,
        activation: { type: 'tool-search-auto-load', version: 1, loaded },
      };
    },
  };
}

function shortened(description: string): string {
  if (description.length <= MAX_CHARS) return description;
  // Half a surrogate pair is invalid text: some providers refuse the whole request for it.
  return `${truncated(description, MAX_CHARS - 3)}...`;
}

function loadTool({ names: { load, search } }: MetaSettings): MetaToolSpec {
  return {
    kind: 'load',
    tool: metaTool(
      load,
      `Load one or more tools that ${search} found, so that you can call them from the next step on.`,
      {
        toolName: { type: 'string', description: 'Exact name of a tool to load.' },
        toolNames: { type: 'array', items: { type: 'string' }, description: 'Exact names of several tools to load.' },
      },
    ),
    answer: async (input, doors) => {
      checkKeys(input, ['toolName', 'toolNames']);
      const { toolName, toolNames } = input;
      const wanted = wantedNames(toolName, toolNames);
      const reply = await doors.activate(wanted);
      return toolNames === undefined ? oneLoaded(String(toolName), reply, doors, search) : manyLoaded(reply);
    },
  };
}

/** @throws ToolSearchError `INVALID_ARGUMENTS` */
function wantedNames(toolName: unknown, toolNames: unknown): readonly string[] {
  if (toolNames === undefined) return [textArgument({ toolName }, 'toolName', 'Or give several names as toolNames.')];
  const names: readonly unknown[] = Array.isArray(toolNames) ? toolNames : [];
  const all = toolName === undefined ? names : [...names, toolName];
  if (all.length > 0 && all.every((name) => typeof name === 'string')) return all;
  throw new ToolSearchError('INVALID_ARGUMENTS', 'toolNames must be a list of at least one tool name.', {
    hint: 'Give one name as toolName, or several as toolNames.',
  });
}

async function oneLoaded(toolName: string, reply: ActivateReply, doors: ToolboxActions, search: string) {
  const [loaded] = reply.activated;
  if (loaded !== undefined) {
    return {
      success: true,
      message: `Tool "${loaded}" is loaded. Call it from the next step on.`,
      toolName,
      loaded: [loaded],
    };
  }
  const [already] = reply.alreadyActive;
  if (already !== undefined) {
    return { success: true, message: `Tool "${already}" is already loaded.`, toolName, loaded: [already] };
  }
  const near = await suggestions(toolName, doors);
  const next = near.length > 0 ? `Did you mean: ${near.join(', ')}?` : `Use ${search} to find available tools.`;
  return { success: false, message: `Tool "${toolName}" not found. ${next}`, toolName };
}

function manyLoaded({ activated, alreadyActive, unavailable, overLimit, waiting = [] }: ActivateReply) {
  const parts = Object.entries({
    Loaded: activated,
    'Already loaded': alreadyActive,
    'Not found': unavailable,
    'No room left for': overLimit,
    'Waiting for approval': waiting.map(({ name }) => name),
  }).filter(([, names]) => names.length > 0);
  return {
    success: unavailable.length + overLimit.length + waiting.length === 0,
    message: parts.map(([what, names]) => `${what}: ${names.join(', ')}`).join(' | '),
    loadedCount: activated.length,
    ...(activated.length > 0 && { loaded: activated }),
    ...(unavailable.length > 0 && { notFound: unavailable }),
    ...(alreadyActive.length > 0 && { alreadyLoaded: alreadyActive }),
  };
}

/** Loadable names that contain the requested one, or are contained in it. */
async function suggestions(asked: string, doors: ToolboxActions): Promise<readonly string[]> {
  const wanted = asked.toLowerCase();
  const isNear = (name: string) => name.includes(wanted) || wanted.includes(name);
  return (await doors.loadable()).filter((name) => isNear(name.toLowerCase())).slice(0, MAX_SUGGESTIONS);
}
