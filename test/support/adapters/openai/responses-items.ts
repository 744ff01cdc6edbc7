import { type Fields, listOf, nameOf, objectOf, RefusedRequest, textOf } from './responses-fields.js';

/** Checks that each call has exactly one output after it, and each output has its call. @throws RefusedRequest */
export function checkCalls(items: readonly Fields[]): void {
  const open = new Map<string, string>();
  const answered = new Set<string>();
  for (const [index, item] of items.entries()) {
    const at = `input[${index}]`;
    const kind = kindOf(item, at);
    if (kind === 'message') continue;
    const id = item['call_id'];
    if (typeof id !== 'string') throw new RefusedRequest(`Missing required parameter: '${at}.call_id'.`, at);
    if (kind === 'function_call' || kind === 'tool_search_call') {
      if (open.has(id) || answered.has(id)) throw new RefusedRequest(`Duplicate call_id ${id}.`, at);
      open.set(id, kind);
      continue;
    }
    const call = kind === 'function_call_output' ? 'function_call' : 'tool_search_call';
    if (open.get(id) !== call) throw new RefusedRequest(`No tool call found for output with call_id ${id}.`, at);
    open.delete(id);
    answered.add(id);
  }
  const [unanswered] = open.keys();
  if (unanswered !== undefined) {
    throw new RefusedRequest(`No tool output found for function call ${unanswered}.`, 'input');
  }
}

function kindOf(item: Fields, at: string): string {
  const type = 'type' in item ? textOf(item['type'], `${at}.type`) : 'message';
  switch (type) {
    case 'message':
      checkMessage(item, at);
      return type;
    case 'function_call':
      nameOf(item['name'], `${at}.name`);
      textOf(item['arguments'], `${at}.arguments`);
      return type;
    case 'tool_search_call':
      objectOf(item['arguments'], `${at}.arguments`);
      return type;
    case 'function_call_output':
      checkOutput(item['output'], `${at}.output`);
      return type;
    case 'tool_search_output':
      return type;
    case 'additional_tools':
      if (item['role'] !== 'developer') throw new RefusedRequest(`Invalid value at '${at}.role'.`, `${at}.role`);
      // May be anywhere between calls and outputs, like messages.
      return 'message';
    default:
      throw new RefusedRequest(`Invalid value: '${type}'.`, `${at}.type`);
  }
}

function checkMessage(item: Fields, at: string): void {
  const { role, content } = item;
  if (!['user', 'system', 'developer', 'assistant'].includes(String(role))) {
    throw new RefusedRequest(`Invalid value: '${String(role)}'.`, `${at}.role`);
  }
  if (typeof content === 'string') return;
  for (const part of listOf(content, `${at}.content`)) {
    const type = objectOf(part, `${at}.content`)['type'];
    const known = role === 'assistant' ? ['output_text', 'refusal'] : ['input_text', 'input_image', 'input_file'];
    if (!known.includes(String(type))) throw new RefusedRequest(`Invalid value: '${String(type)}'.`, `${at}.content`);
  }
}

function checkOutput(output: unknown, at: string): void {
  if (typeof output === 'string') return;
  for (const [index, each] of listOf(output, at).entries()) {
    const part = objectOf(each, `${at}[${index}]`);
    const isWhole =
      (part['type'] === 'input_text' && typeof part['text'] === 'string') ||
      (part['type'] === 'input_image' && /^data:image\/(png|jpeg|webp|gif);base64,/.test(String(part['image_url']))) ||
      (part['type'] === 'input_file' &&
        typeof part['filename'] === 'string' &&
        String(part['file_data']).startsWith('data:'));
    if (!isWhole) throw new RefusedRequest(`Invalid value at '${at}[${index}]'.`, at);
  }
}
