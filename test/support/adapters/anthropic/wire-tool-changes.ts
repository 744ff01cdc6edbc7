import { type Json, objectOf, only, Refused, toolOf, type WireTool } from './wire-tool';

const REFERENCES = 'mid-conversation-tool-changes-2026-07-01';
const DEFINITIONS = 'inline-tools-2026-09-15';
const CHANGES = ['tool_addition', 'tool_removal'];

/**
 * The tools that the model has at the end of a conversation, after the changes in its system messages.
 *
 * @param betas of the header `anthropic-beta`
 * @throws Refused for a change that the API does not accept
 */
export function offeredTools(
  {
    tools,
    messages,
  }: {
    readonly tools: readonly WireTool[];
    readonly messages: readonly { readonly role: string; readonly content: readonly Json[] }[];
  },
  betas: ReadonlySet<string>,
): readonly WireTool[] {
  const known = new Map(tools.map((tool) => [tool.name, tool]));
  const offered = new Map(tools.filter(({ isDeferred }) => !isDeferred).map((tool) => [tool.name, tool]));
  for (const [index, { role, content }] of messages.entries()) {
    if (role !== 'system') continue;
    const at = `messages.${index}`;
    const next = messages[index + 1];
    if (next && next.role !== 'assistant') {
      throw new Refused(`${at}: role 'system' must precede an 'assistant' message or end the array`);
    }
    for (const block of content.filter(({ type }) => CHANGES.includes(String(type)))) {
      const name = readChange(block, known, betas, at);
      const tool = known.get(name);
      if (block['type'] === 'tool_addition' && tool) offered.set(name, tool);
      else offered.delete(name);
    }
  }
  return [...offered.values()];
}

// Returns the tool's name, and adds a tool that is defined by value.
function readChange(block: Json, known: Map<string, WireTool>, betas: ReadonlySet<string>, at: string): string {
  if (!betas.has(REFERENCES) && !betas.has(DEFINITIONS))
    throw new Refused(`${at}: ${String(block['type'])} needs a beta`);
  const tool = objectOf(block['tool'], `${at}.tool`);
  if (tool['type'] === 'tool_definition') {
    only(tool, new Set(['type', 'definition']), `${at}.tool.`);
    if (block['type'] !== 'tool_addition') throw new Refused(`${at}.tool: Input should be a reference`);
    if (!betas.has(DEFINITIONS)) throw new Refused(`${at}.tool: tool_definition needs the beta ${DEFINITIONS}`);
    const defined = toolOf(tool['definition'], 0);
    known.set(defined.name, defined);
    return defined.name;
  }
  only(tool, new Set(['type', 'name']), `${at}.tool.`);
  if (tool['type'] !== 'tool_reference') throw new Refused(`${at}.tool.type: unknown ${String(tool['type'])}`);
  if (!known.has(String(tool['name']))) throw new Refused(`${at}.tool: '${String(tool['name'])}' is not defined`);
  return String(tool['name']);
}
