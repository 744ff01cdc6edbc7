import type { ScriptedTurn } from '../adapter-driver';
import { type Json, objectOf, only, Refused, toolOf, type WireTool } from './wire-tool';
import { offeredTools } from './wire-tool-changes';

/** A valid request of the Messages API. Invalid ones throw {@link Refused}. */
export interface AnthropicWireRequest {
  readonly model: string;
  readonly system: string;
  readonly tools: readonly WireTool[];
  readonly messages: readonly {
    readonly role: 'user' | 'assistant' | 'system';
    readonly content: readonly Json[];
  }[];
  /** What the header `anthropic-beta` enables. */
  readonly betas: ReadonlySet<string>;
}

const FIELDS = new Set(
  'model max_tokens messages system tools tool_choice temperature top_p top_k stop_sequences stream metadata thinking cache_control container'.split(
    ' ',
  ),
);
const BLOCK_FIELDS: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  image: ['source'],
  document: ['source', 'title'],
  search_result: ['source', 'title', 'content'],
  tool_use: ['id', 'name', 'input'],
  tool_result: ['tool_use_id', 'content', 'is_error'],
  tool_reference: ['tool_name'],
  tool_addition: ['tool'],
  tool_removal: ['tool'],
};
const ALLOWED = {
  user: ['text', 'image', 'document', 'tool_result'],
  assistant: ['text', 'tool_use'],
  result: ['text', 'image', 'document', 'search_result', 'tool_reference'],
  prompt: ['text'],
  system: ['text', 'tool_addition', 'tool_removal'],
};

/** Parses a request as strictly as the API. @throws Refused */
export function readRequest(body: unknown, betas: ReadonlySet<string> = new Set()): AnthropicWireRequest {
  const request = objectOf(body, 'body');
  only(request, FIELDS, '');
  if (typeof request['model'] !== 'string') throw new Refused('model: Field required');
  const max = request['max_tokens'];
  if (!Number.isInteger(max) || (max as number) < 1) throw new Refused('max_tokens: Input should be greater than 0');
  const tools = arrayOf(request['tools'] ?? [], 'tools').map(toolOf);
  if (new Set(tools.map(({ name }) => name)).size < tools.length)
    throw new Refused('tools: Tool names must be unique.');
  if (tools.length > 0 && tools.every(({ isDeferred }) => isDeferred)) {
    throw new Refused('At least one tool must have defer_loading=false.');
  }
  const messages = arrayOf(request['messages'], 'messages').map(messageOf);
  if (messages[0]?.role !== 'user') throw new Refused('messages: first message must use the "user" role');
  checkCalls(messages);
  checkReferences(messages, new Set(tools.map(({ name }) => name)));
  offeredTools({ tools, messages }, betas);
  const marks = JSON.stringify(body).split('"cache_control":{').length - 1;
  if (marks > 4) throw new Refused(`A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`);
  const system = request['system'] ?? '';
  const blocks = typeof system === 'string' ? [] : blocksOf(system, ALLOWED.prompt, 'system');
  return {
    model: request['model'],
    system: typeof system === 'string' ? system : blocks.map(({ text }) => String(text)).join('\n\n'),
    tools,
    messages,
    betas,
  };
}

/** The model's input. Includes deferred tools only after a search has referred to them. */
export function turnOf({ system, tools, messages, betas }: AnthropicWireRequest): ScriptedTurn {
  const results = messages.flatMap(({ content }) => content.filter(({ type }) => type === 'tool_result'));
  const referenced = new Set(results.flatMap((result) => partsOf(result).map((part) => part['tool_name'])));
  const names = new Map(messages.flatMap(({ content }) => content.map(({ id, name }) => [id, String(name)] as const)));
  const last = messages.findLast(({ role }) => role !== 'system')?.content ?? [];
  const offered = new Set(offeredTools({ tools, messages }, betas));
  const changed = [...offered].filter((tool) => !tools.includes(tool));
  const textOf = (part: Json): string => {
    const tool = tools.find(({ name }) => name === part['tool_name']);
    // The API inserts the definition at the reference.
    if (tool) return JSON.stringify({ name: tool.name, description: tool.description });
    return typeof part['text'] === 'string' ? part['text'] : `[${String(part['type'])}]`;
  };
  return {
    tools: [
      ...tools.filter((tool) => (tool.isDeferred ? referenced.has(tool.name) : offered.has(tool))),
      ...changed,
    ].map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    instructions: [system, ...last.flatMap(({ text }) => (typeof text === 'string' ? [text] : []))].join('\n\n'),
    results: last
      .filter(({ type }) => type === 'tool_result')
      .map((result) => ({
        name: names.get(result['tool_use_id']) ?? '',
        text: partsOf(result).map(textOf).join('\n'),
      })),
  };
}

function messageOf(value: unknown, index: number): AnthropicWireRequest['messages'][number] {
  const at = `messages.${index}`;
  const message = objectOf(value, at);
  only(message, new Set(['role', 'content']), `${at}.`);
  const { role, content } = message;
  if (role !== 'user' && role !== 'assistant' && role !== 'system') {
    throw new Refused(`${at}.role: Input should be 'user', 'assistant' or 'system'`);
  }
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const read = blocksOf(blocks, ALLOWED[role], `${at}.content`);
  if (read.length === 0) throw new Refused(`${at}: all messages must have non-empty content`);
  return { role, content: read };
}

function blocksOf(value: unknown, allowed: readonly string[], at: string): Json[] {
  return arrayOf(value, at).map((each, index) => {
    const block = objectOf(each, `${at}.${index}`);
    const type = String(block['type']);
    if (!allowed.includes(type)) {
      throw new Refused(
        `${at}.${index}: Input tag '${type}' found using 'type' does not match any of ${allowed.join()}`,
      );
    }
    only(block, new Set(['type', 'cache_control', ...(BLOCK_FIELDS[type] ?? [])]), `${at}.${index}.${type}.`);
    if (type === 'text' && (typeof block['text'] !== 'string' || block['text'].trim() === '')) {
      throw new Refused(`${at}.${index}: text content blocks must contain non-whitespace text`);
    }
    if (type === 'tool_result' && Array.isArray(block['content'])) {
      blocksOf(block['content'], ALLOWED.result, `${at}.${index}.tool_result.content`);
    }
    return block;
  });
}

/** Checks that each call is answered exactly once, directly after it. */
function checkCalls(messages: AnthropicWireRequest['messages']): void {
  const seen = new Set<unknown>();
  let open = new Set<unknown>();
  for (const [index, { role, content }] of messages.entries()) {
    const results = content.filter(({ type }) => type === 'tool_result');
    for (const { tool_use_id: id } of results) {
      if (!open.delete(id))
        throw new Refused(`messages.${index}: unexpected \`tool_use_id\` ${String(id)} in tool_result`);
    }
    if (open.size > 0)
      throw new Refused(`messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks`);
    if (results.length > 0 && content.slice(0, results.length).some(({ type }) => type !== 'tool_result')) {
      throw new Refused(`messages.${index}: \`tool_result\` blocks must come first`);
    }
    const calls = role === 'assistant' ? content.filter(({ type }) => type === 'tool_use') : [];
    for (const { id } of calls) {
      if (seen.has(id)) throw new Refused(`messages.${index}: \`tool_use\` ids must be unique`);
      seen.add(id);
    }
    open = new Set(calls.map(({ id }) => id));
  }
  if (open.size > 0) throw new Refused('messages: `tool_use` ids were found without `tool_result` blocks');
}

function checkReferences(messages: AnthropicWireRequest['messages'], declared: ReadonlySet<string>): void {
  for (const part of messages.flatMap(({ content }) => content.flatMap(partsOf))) {
    if (part['type'] === 'tool_reference' && !declared.has(String(part['tool_name']))) {
      throw new Refused(`Tool reference '${String(part['tool_name'])}' not found in available tools`);
    }
  }
}

function partsOf({ type, content }: Json): readonly Json[] {
  if (type !== 'tool_result') return [];
  return typeof content === 'string' ? [{ type: 'text', text: content }] : ((content ?? []) as Json[]);
}

function arrayOf(value: unknown, at: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new Refused(`${at}: Input should be a valid list`);
  return value;
}
