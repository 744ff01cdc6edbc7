import type { Toolbox } from '@tool-search/core';
import { wireName } from '@tool-search/core/adapter';
import { asSchema, toolSearch } from 'ai';
import { AiSdkEngine } from '../peers/ai-sdk-engine.js';
import type { ToolAccess } from './token-task.js';

/** The default of `toolSearch()`. */
const MAX_RESULTS = 5;

/**
 * The AI SDK's own `toolSearch()` with its defaults over the visible tools of a toolbox, each with `deferLoading`. A found tool
 * is listed from the next step on; a search returns names and whole descriptions.
 */
export async function aiSdkSearchAccess(toolbox: Toolbox): Promise<ToolAccess> {
  const { description, inputSchema } = toolSearch({ maxResults: MAX_RESULTS });
  const search = {
    name: 'tool_search',
    description: typeof description === 'string' ? description : '',
    inputSchema: await asSchema(inputSchema).jsonSchema,
  };
  const visible = await toolbox.visible();
  const tools = visible.map((tool) => ({ ...tool, name: wireName(tool.name) }));
  const engine = new AiSdkEngine();
  await engine.build(tools);
  const discovered = new Set<string>();
  return {
    shown: async () => ({ definitions: [search, ...tools.filter(({ name }) => discovered.has(name))], prompt: [] }),
    ask: async (_, input) => {
      const { names } = await engine.search(typeof input['query'] === 'string' ? input['query'] : '', MAX_RESULTS);
      for (const name of names) discovered.add(name);
      const found = names.flatMap((wanted) => tools.find(({ name }) => name === wanted) ?? []);
      return JSON.stringify({ tools: found.map(({ name, description: text }) => ({ name, description: text })) });
    },
    call: async (name, input) => (await toolbox.call(name, input)).ok,
  };
}
