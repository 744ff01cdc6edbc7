import type { BetaMessageParam, BetaTool, BetaToolUseBlock } from '@anthropic-ai/sdk/resources/beta/messages';
import { anthropicBeta } from '@tool-search/agents/anthropic';
import type { JsonObject, Toolbox } from '@tool-search/core';
import { wireName } from '@tool-search/core/adapter';
import type { ShownTool, ToolAccess } from './token-task.js';

/**
 * A conversation of `anthropicBeta` in `native`, as its requests contain it: `tools`, and the changes of tools in the
 * messages. Everything that a change contains beside a definition counts as a part of the prompt.
 */
export function toolChangesAccess(toolbox: Toolbox): ToolAccess {
  const adapter = anthropicBeta(toolbox, { mode: 'native' });
  let messages: readonly BetaMessageParam[] = [{ role: 'user', content: 'Do the task.' }];
  let calls = 0;
  const answered = async (name: string, input: JsonObject) => {
    const use: BetaToolUseBlock = { type: 'tool_use', id: `toolu_${calls++}`, name, input, caller: { type: 'direct' } };
    const answer = await adapter.answer({ content: [use] });
    messages = [...messages, { role: 'assistant', content: [use] }, answer];
    return answer.content[0];
  };
  return {
    shown: async () => {
      const request = await adapter.request({ messages });
      messages = request.messages;
      const changes = messages.flatMap(({ role, content }) =>
        role === 'system' && Array.isArray(content) ? content : [],
      );
      const added = changes.flatMap((block) =>
        block.type === 'tool_addition' && block.tool.type === 'tool_definition' ? [block.tool.definition] : [],
      );
      const wrapping = changes.map((block) =>
        JSON.stringify(block, (key, value: unknown) => (key === 'definition' ? undefined : value)),
      );
      return {
        definitions: [...request.tools, ...added].map((tool) => shownTool(tool as BetaTool)),
        prompt: [...(typeof request.system === 'string' ? [request.system] : []), ...wrapping],
      };
    },
    ask: async (name, input) => textOf(await answered(name, input)),
    call: async (name, input) => (await answered(wireName(name, 128), input))?.is_error !== true,
  };
}

function shownTool({ name, description = '', input_schema }: BetaTool): ShownTool {
  return { name, description, inputSchema: input_schema };
}

function textOf(result: { readonly content?: unknown } | undefined): string {
  return typeof result?.content === 'string' ? result.content : JSON.stringify(result?.content ?? '');
}
