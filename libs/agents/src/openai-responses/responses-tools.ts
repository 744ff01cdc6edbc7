import { wireName } from '@tool-search/core';
import type {
  FunctionTool,
  ResponseToolSearchOutputItemParam,
  ToolSearchOutputNamespaceTool,
  ToolSearchTool,
} from 'openai/resources/responses/responses';
import { OPENAI_LIMITS } from '../wire/provider-limits.js';
import type { WireTool } from '../wire/wire-toolbox.js';

/** A tool as a function of the API. Not strict, because schemas come from many sources and have optional properties. */
export function functionTool({ name, description, inputSchema }: WireTool): FunctionTool {
  return { type: 'function', name, description, parameters: inputSchema, strict: false };
}

const API_NAME = 'tool_search';
const DESCRIPTION = 'Find tools that are not listed yet. What is found can be called right away.';

/**
 * The provider's own search tool, executed by the toolbox. Found tools are loaded after the search in the conversation.
 *
 * @param name the search tool's name in the prompt parts; the API's own name is fixed
 */
export function clientToolSearch(name = API_NAME): ToolSearchTool {
  const description = name === API_NAME ? DESCRIPTION : `${DESCRIPTION} The instructions call it ${name}.`;
  return { type: 'tool_search', execution: 'client', description, parameters: PARAMETERS };
}

const PARAMETERS = {
  type: 'object',
  properties: {
    query: { type: 'string', description: 'Action and object, without values: "create a calendar event".' },
    limit: { type: 'integer', minimum: 1, maximum: 20 },
    namespace: { type: 'string', description: 'Search only one namespace.' },
  },
  required: ['query'],
  additionalProperties: false,
};

/**
 * The found tools in the form that the API loads: functions in the namespaces of their tools. They keep their usual
 * names, which are unique without a namespace: a call stays unambiguous when the namespace gets lost, and hints and
 * directory are valid in every mode.
 */
export function loadedTools(found: readonly WireTool[]): ResponseToolSearchOutputItemParam['tools'] {
  const alone: FunctionTool[] = [];
  const namespaces = new Map<string, ToolSearchOutputNamespaceTool>();
  for (const tool of found) {
    const declared = { ...functionTool(tool), defer_loading: true };
    const namespace = tool.definition?.namespace ?? '';
    if (namespace === '') {
      alone.push(declared);
      continue;
    }
    const name = wireName(namespace, OPENAI_LIMITS.nameChars);
    const known = namespaces.get(name);
    if (known) known.tools.push(declared);
    else namespaces.set(name, { type: 'namespace', name, description: `Tools of ${namespace}.`, tools: [declared] });
  }
  return [...namespaces.values(), ...alone];
}
