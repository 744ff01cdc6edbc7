import { checkName, checkParameters, checkToolList } from './openai-function-check.js';
import { checkedKeys, checkedList, checkedText, OpenAiWireError } from './openai-wire-error.js';
import type { ScriptedTurn } from '../adapter-driver.js';

// `ChatCompletionCreateParamsBase` of the SDK 7.57.
const PARAMETERS =
  'messages model audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens metadata modalities moderation n parallel_tool_calls prediction presence_penalty prompt_cache_key prompt_cache_options prompt_cache_retention reasoning_effort response_format safety_identifier seed service_tier stop store stream stream_options temperature tool_choice tools top_logprobs top_p user verbosity web_search_options'.split(
    ' ',
  );
const ROLES = ['developer', 'system', 'user', 'assistant', 'tool'];
const ASSISTANT = ['role', 'content', 'name', 'refusal', 'audio', 'function_call', 'tool_calls', 'annotations'];

type Result = ScriptedTurn['results'][number];

/**
 * Validates a chat completions request. @returns the model's input @throws OpenAiWireError for a request that OpenAI
 * would reject
 */
export function checkedChat(body: unknown): ScriptedTurn {
  const request = checkedKeys(body, PARAMETERS, '');
  for (const required of ['model', 'messages']) {
    if (request[required] !== undefined) continue;
    const message = `Missing required parameter: '${required}'.`;
    throw new OpenAiWireError(message, required, 'missing_required_parameter');
  }
  checkedText(request['model'], 'model');
  if (request['stream'] === true) throw new OpenAiWireError('This server does not stream.', 'stream');
  const messages = checkedList(request['messages'], 'messages');
  if (messages.length === 0) {
    throw new OpenAiWireError("Invalid 'messages': empty array.", 'messages', 'empty_array');
  }
  const tools = request['tools'] === undefined ? [] : checkedTools(checkedList(request['tools'], 'tools'));
  if (tools.length === 0 && (request['tool_choice'] ?? request['parallel_tool_calls']) !== undefined) {
    const param = request['tool_choice'] === undefined ? 'parallel_tool_calls' : 'tool_choice';
    throw new OpenAiWireError(
      `Invalid value for '${param}': '${param}' is only allowed when 'tools' are specified.`,
      param,
    );
  }
  return { tools, ...checkedMessages(messages) };
}

function checkedTools(list: readonly unknown[]): ScriptedTurn['tools'] {
  const tools = list.map((each, index) => {
    const at = `tools[${index}]`;
    const tool = checkedKeys(each, ['type', 'function', 'custom'], at);
    if (tool['type'] === 'custom') {
      const custom = checkedKeys(tool['custom'], ['name', 'description', 'format'], `${at}.custom`);
      const name = checkName(custom['name'], `${at}.custom.name`);
      return { name, description: optionalText(custom['description'], `${at}.custom.description`), inputSchema: {} };
    }
    if (tool['type'] !== 'function') {
      const message = `Invalid value: '${String(tool['type'])}'. Supported values are: 'function' and 'custom'.`;
      throw new OpenAiWireError(message, `${at}.type`, 'invalid_value');
    }
    const fields = ['name', 'description', 'parameters', 'strict'];
    const definition = checkedKeys(tool['function'], fields, `${at}.function`);
    const name = checkName(definition['name'], `${at}.function.name`);
    return {
      name,
      description: optionalText(definition['description'], `${at}.function.description`),
      inputSchema: checkParameters(definition['parameters'], name, `${at}.function.parameters`),
    };
  });
  checkToolList(tools.map(({ name }) => name));
  return tools;
}

function checkedMessages(list: readonly unknown[]): Pick<ScriptedTurn, 'instructions' | 'results'> {
  const instructions: string[] = [];
  /** Calls of the latest assistant message: function names by call id. `answered` holds their results so far. */
  let open = new Map<string, string>();
  let answered = new Map<string, Result>();
  list.forEach((each, index) => {
    const at = `messages[${index}]`;
    const message = each as Record<string, unknown>;
    const role = message?.['role'];
    if (typeof role !== 'string' || !ROLES.includes(role)) {
      const said = `Invalid value: '${String(role)}'. Supported values are: ${ROLES.map((known) => `'${known}'`).join(', ')}.`;
      throw new OpenAiWireError(said, `${at}.role`, 'invalid_value');
    }
    if (role === 'tool') {
      checkedKeys(message, ['role', 'content', 'tool_call_id', 'name'], at);
      const id = checkedText(message['tool_call_id'], `${at}.tool_call_id`);
      const name = open.get(id);
      if (name === undefined || answered.has(id)) {
        const said = `Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.`;
        throw new OpenAiWireError(said, `${at}.role`);
      }
      answered.set(id, { name, text: checkedContent(message['content'], ['text'], `${at}.content`) });
      return;
    }
    checkAnswered(open, answered, at);
    if (role === 'assistant') {
      open = checkedCalls(checkedKeys(message, ASSISTANT, at), at);
      answered = new Map();
      return;
    }
    checkedKeys(message, ['role', 'content', 'name'], at);
    const kinds = role === 'user' ? ['text', 'image_url', 'input_audio', 'file'] : ['text'];
    const text = checkedContent(message['content'], kinds, `${at}.content`);
    if (role !== 'user') instructions.push(text);
  });
  checkAnswered(open, answered, 'messages');
  return {
    instructions: instructions.join('\n\n'),
    results: [...open.keys()].flatMap((id) => answered.get(id) ?? []),
  };
}

function checkAnswered(open: ReadonlyMap<string, string>, answered: ReadonlyMap<string, Result>, at: string): void {
  const missing = [...open.keys()].filter((id) => !answered.has(id));
  if (missing.length === 0) return;
  throw new OpenAiWireError(
    `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${missing.join(', ')}`,
    at,
  );
}

/** Names of the called functions, by call id. */
function checkedCalls(message: Record<string, unknown>, at: string): Map<string, string> {
  const { content, tool_calls: list } = message;
  if (content !== undefined && content !== null) checkedContent(content, ['text', 'refusal'], `${at}.content`);
  if (list === undefined) {
    if (content === undefined || content === null) {
      throw new OpenAiWireError(`Invalid value for 'content': expected a string, got null.`, `${at}.content`);
    }
    return new Map();
  }
  const calls = checkedList(list, `${at}.tool_calls`);
  if (calls.length === 0) throw new OpenAiWireError(`Invalid '${at}.tool_calls': empty array.`, at, 'empty_array');
  const names = new Map<string, string>();
  calls.forEach((each, index) => {
    const where = `${at}.tool_calls[${index}]`;
    const call = checkedKeys(each, ['id', 'type', 'function', 'custom'], where);
    const id = checkedText(call['id'], `${where}.id`);
    if (names.has(id)) throw new OpenAiWireError(`Duplicate tool call id '${id}'.`, where, 'invalid_value');
    const isCustom = call['type'] === 'custom';
    const part = isCustom ? 'custom' : 'function';
    const said = checkedKeys(call[part], ['name', isCustom ? 'input' : 'arguments'], `${where}.${part}`);
    checkedText(said[isCustom ? 'input' : 'arguments'], `${where}.${part}.arguments`);
    names.set(id, checkName(said['name'], `${where}.${part}.name`));
  });
  return names;
}

function checkedContent(content: unknown, kinds: readonly string[], at: string): string {
  if (!Array.isArray(content)) return checkedText(content, at);
  return content
    .map((part: unknown, index) => {
      const { type, text } = part as Record<string, unknown>;
      if (typeof type !== 'string' || !kinds.includes(type)) {
        const said = `Invalid content type. The content here may only have parts of: ${kinds.join(', ')}.`;
        throw new OpenAiWireError(said, `${at}[${index}].type`, 'invalid_value');
      }
      return type === 'text' ? checkedText(text, `${at}[${index}].text`) : `[${type}]`;
    })
    .join('\n');
}

function optionalText(value: unknown, at: string): string {
  return value === undefined ? '' : checkedText(value, at);
}
