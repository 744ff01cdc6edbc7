import { contentText, wireName } from '@tool-search/core/adapter';
import type {
  FunctionTool,
  ResponseFunctionCallOutputItem,
  ResponseInputItem,
  ResponseToolSearchOutputItemParam,
  ToolSearchOutputNamespaceTool,
  ToolSearchTool,
} from 'openai/resources/responses/responses';
import { OPENAI_LIMITS } from '../wire/provider-limits.js';
import type { WireTool } from '../wire/wire-toolbox.js';
import type { ToolContent, ToolResult } from '@tool-search/core';
import { imageType, resultContent } from '../wire/result-content.js';

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

/** One text, or parts if the result has more than text. Content that the API cannot read is named in the text. */
export function functionOutput(result: ToolResult): ResponseInputItem.FunctionCallOutput['output'] {
  const content = resultContent(result);
  const parts = content.map(partOf);
  return parts.every(({ type }) => type === 'input_text') ? contentText(content) : parts;
}

function partOf(block: ToolContent): ResponseFunctionCallOutputItem {
  const file = block.type === 'resource' ? fileOf(block.resource) : undefined;
  const { mimeType, data } = block.type === 'image' ? block : (file ?? {});
  if (data !== undefined && mimeType !== undefined) {
    const url = `data:${mimeType};base64,${data}`;
    if (imageType(mimeType)) return { type: 'input_image', detail: 'auto', image_url: url };
    if (mimeType === 'application/pdf') {
      return { type: 'input_file', filename: file?.name ?? 'file.pdf', file_data: url };
    }
  }
  return { type: 'input_text', text: contentText([block]) };
}

function fileOf({ uri, mimeType, blob }: Extract<ToolContent, { type: 'resource' }>['resource']) {
  if (blob === undefined) return undefined;
  return { name: uri.split('/').at(-1) || 'file', mimeType, data: blob };
}
