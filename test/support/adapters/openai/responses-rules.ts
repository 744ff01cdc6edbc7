import { checkParameters } from './openai-function-check.js';
import {
  type Fields,
  knownKeys,
  listOf,
  nameOf,
  objectOf,
  RefusedRequest,
  textIn,
  textOf,
} from './responses-fields.js';
import { checkCalls } from './responses-items.js';

/** A function as declared in a request, in `tools` or in a search output. */
export interface DeclaredFunction {
  readonly name: string;
  readonly namespace?: string;
  readonly description: string;
  readonly parameters: Fields;
  readonly isDeferred: boolean;
}

/** The client's search tool as declared in a request. */
export interface DeclaredSearch {
  readonly description: string;
  readonly parameters: Fields;
}

/** A validated request. */
export interface CheckedResponsesRequest {
  readonly model: string;
  readonly instructions: string;
  readonly items: readonly Fields[];
  /** Functions in `tools`. */
  readonly declared: readonly DeclaredFunction[];
  /** Functions that searches in the conversation have loaded; the newest declaration of each name. */
  readonly loaded: readonly DeclaredFunction[];
  readonly search?: DeclaredSearch;
}

const BODY_FIELDS = new Set([
  'include',
  'input',
  'instructions',
  'max_output_tokens',
  'metadata',
  'model',
  'parallel_tool_calls',
  'previous_response_id',
  'conversation',
  'reasoning',
  'store',
  'stream',
  'temperature',
  'text',
  'tool_choice',
  'tools',
  'top_p',
  'truncation',
  'user',
  'service_tier',
]);
const MAX_TOOLS = 128;
const MAX_DESCRIPTION = 1024;

/**
 * Validates a body of `POST /v1/responses` as the API does.
 *
 * Sources of the rules: the types of OpenAI's SDK (`responses.d.ts`) for shapes; its reference for names and the number
 * of tools; its known errors for these: a schema is an object without a union at its root, deferred functions need
 * `tool_search`, and each call has its output.
 *
 * @throws RefusedRequest
 */
export function checkedRequest(body: unknown): CheckedResponsesRequest {
  const fields = objectOf(body, '');
  for (const key of Object.keys(fields)) {
    if (!BODY_FIELDS.has(key)) throw new RefusedRequest(`Unknown parameter: '${key}'.`, key);
  }
  const { model, instructions = null, tools = [], input } = fields;
  if (typeof model !== 'string') throw new RefusedRequest("Missing required parameter: 'model'.", 'model');
  if (instructions !== null && typeof instructions !== 'string') {
    throw new RefusedRequest("Invalid type for 'instructions': expected a string.", 'instructions');
  }
  const { declared, search } = checkedTools(listOf(tools, 'tools'));
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : listOf(input, 'input');
  const checked = items.map((item, index) => objectOf(item, `input[${index}]`));
  checkCalls(checked);
  const loaded = checked.flatMap((item, index) => loadedBy(item, `input[${index}]`, search !== undefined));
  const newest = new Map(loaded.map((each) => [each.name, each]));
  // The API is not known to reject it, but the model would read the tool twice.
  for (const { name } of declared) {
    if (newest.has(name)) throw new RefusedRequest(`Tool '${name}' is declared and loaded.`, 'tools');
  }
  return {
    model,
    instructions: [instructions ?? '', ...checked.flatMap(instructionOf)].filter((text) => text !== '').join('\n\n'),
    items: checked,
    declared,
    loaded: [...newest.values()],
    ...(search && { search }),
  };
}

function checkedTools(tools: readonly unknown[]): Pick<CheckedResponsesRequest, 'declared' | 'search'> {
  if (tools.length > MAX_TOOLS) {
    throw new RefusedRequest(`Invalid 'tools': array too long. Expected at most ${MAX_TOOLS}.`, 'tools');
  }
  const declared: DeclaredFunction[] = [];
  let search: DeclaredSearch | undefined;
  let isHosted = false;
  for (const [index, each] of tools.entries()) {
    const at = `tools[${index}]`;
    const tool = objectOf(each, at);
    if (tool['type'] === 'function' || tool['type'] === 'namespace') {
      declared.push(...functionsOf(tool, at));
    } else if (tool['type'] === 'tool_search') {
      if (search || isHosted) throw new RefusedRequest('Only one tool_search is allowed.', at);
      if (tool['execution'] === 'client') search = searchOf(tool, at);
      else isHosted = true;
    } else {
      throw new RefusedRequest(`Invalid value: '${String(tool['type'])}'.`, `${at}.type`);
    }
  }
  refuseDoubles(declared, 'tools');
  const isAnyDeferred = declared.some(({ isDeferred }) => isDeferred);
  if (isAnyDeferred && !search && !isHosted) {
    throw new RefusedRequest(
      "Invalid Value: 'tools.defer_loading'. Deferred tools require tools.tool_search.",
      'tools',
    );
  }
  if (isHosted && !isAnyDeferred) {
    throw new RefusedRequest('tools.tool_search requires at least one deferred tool.', 'tools');
  }
  return { declared, ...(search && { search }) };
}

function searchOf(tool: Fields, at: string): DeclaredSearch {
  knownKeys(tool, ['type', 'execution', 'description', 'parameters'], at);
  const parameters = schemaOf(tool['parameters'], `${at}.parameters`);
  return { description: textOf(tool['description'], `${at}.description`), parameters };
}

function functionsOf(tool: Fields, at: string): readonly DeclaredFunction[] {
  if (tool['type'] === 'function') return [functionOf(tool, at)];
  knownKeys(tool, ['type', 'name', 'description', 'tools'], at);
  const namespace = nameOf(tool['name'], `${at}.name`);
  textOf(tool['description'], `${at}.description`);
  const inside = listOf(tool['tools'], `${at}.tools`);
  if (inside.length === 0) throw new RefusedRequest(`Invalid '${at}.tools': empty array.`, `${at}.tools`);
  return inside.map((each, index) => functionOf(objectOf(each, at), `${at}.tools[${index}]`, namespace));
}

function functionOf(tool: Fields, at: string, namespace?: string): DeclaredFunction {
  knownKeys(tool, ['type', 'name', 'description', 'parameters', 'strict', 'defer_loading'], at);
  if (tool['type'] !== 'function') throw new RefusedRequest(`Invalid value at '${at}.type'.`, `${at}.type`);
  const name = nameOf(tool['name'], `${at}.name`);
  if (name === namespace) throw new RefusedRequest(`'${name}' may not be namespace and function.`, `${at}.name`);
  const description = textOf(tool['description'], `${at}.description`);
  if (description.length > MAX_DESCRIPTION) {
    throw new RefusedRequest(`Invalid '${at}.description': string too long.`, `${at}.description`);
  }
  if (tool['strict'] === true) throw new RefusedRequest(`Invalid schema for function '${name}'.`, `${at}.parameters`);
  return {
    name,
    ...(namespace !== undefined && { namespace }),
    description,
    parameters: schemaOf(tool['parameters'], `${at}.parameters`, name),
    isDeferred: tool['defer_loading'] === true,
  };
}

function schemaOf(schema: unknown, at: string, name = 'tool_search'): Fields {
  const fields = objectOf(schema, at);
  try {
    return checkParameters(fields, name, at) as Fields;
  } catch (error) {
    throw new RefusedRequest((error as Error).message, at);
  }
}

function loadedBy(item: Fields, at: string, hasSearch: boolean): readonly DeclaredFunction[] {
  if (item['type'] === 'additional_tools') {
    knownKeys(item, ['type', 'id', 'role', 'tools'], at);
    return toolsLoadedBy(item, at);
  }
  if (item['type'] !== 'tool_search_output') return [];
  knownKeys(item, ['type', 'id', 'call_id', 'execution', 'status', 'tools'], at);
  if (item['execution'] !== 'client') throw new RefusedRequest(`Invalid value at '${at}.execution'.`, at);
  if (!hasSearch) throw new RefusedRequest('tool_search_output requires tools.tool_search.', at);
  return toolsLoadedBy(item, at);
}

function toolsLoadedBy(item: Fields, at: string): readonly DeclaredFunction[] {
  const loaded = listOf(item['tools'], `${at}.tools`).flatMap((each, index) =>
    functionsOf(objectOf(each, at), `${at}.tools[${index}]`),
  );
  refuseDoubles(loaded, at);
  return loaded;
}

function instructionOf(item: Fields): readonly string[] {
  const { role, content } = item;
  if (role !== 'system' && role !== 'developer') return [];
  return [textIn(content)];
}

function refuseDoubles(functions: readonly DeclaredFunction[], at: string): void {
  const seen = new Set<string>();
  for (const { name } of functions) {
    if (seen.has(name)) throw new RefusedRequest(`Tool names must be unique: '${name}'.`, at);
    seen.add(name);
  }
}
