import type { ToolDefinition } from '@tool-search/core';
import { generateText, isStepCount, jsonSchema, tool, toolSearch, type ToolSet } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import type { ShownTool } from '../tokens/token-task.js';

/** What a search of the package did in one generation. */
export interface OriginalSearch {
  /** What the search answered. */
  readonly answer: unknown;
  /** Names in the answer, in its order. */
  readonly returned: readonly string[];
  /** Definitions that the model's provider received in the next step: the search, then what it has found. */
  readonly shown: readonly ShownTool[];
}

/** The name of the search in a generation. */
export const SEARCH = 'tool_search';

/** Searches with `toolSearch()` of the package `ai`, by a generation with a model that only asks this query. */
export async function originalSearch(
  tools: readonly ToolDefinition[],
  query: string,
  maxResults: number,
): Promise<OriginalSearch> {
  const deferred = tools.map(({ name, description, inputSchema }): [string, ToolSet[string]] => [
    name,
    tool({ description, inputSchema: jsonSchema(inputSchema), deferLoading: true, execute: () => '' }),
  ]);
  const model = askingModel(query);
  const { steps } = await generateText({
    model,
    prompt: 'Find a tool.',
    tools: { [SEARCH]: toolSearch({ maxResults }), ...Object.fromEntries(deferred) },
    stopWhen: isStepCount(2),
  });
  const [answer] = steps[0]?.toolResults ?? [];
  if (!answer) throw new Error('the search of the package was not called');
  const { tools: found } = answer.output as { readonly tools: readonly { readonly name: string }[] };
  const shown = (model.doGenerateCalls[1]?.tools ?? []).flatMap((each): ShownTool[] =>
    each.type === 'function'
      ? [{ name: each.name, description: each.description ?? '', inputSchema: each.inputSchema }]
      : [],
  );
  return { answer: answer.output, returned: found.map(({ name }) => name), shown };
}

function askingModel(query: string): MockLanguageModelV4 {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  const input = JSON.stringify({ query });
  return new MockLanguageModelV4({
    doGenerate: [
      {
        content: [{ type: 'tool-call', toolCallId: 'call', toolName: SEARCH, input }],
        finishReason: { unified: 'tool-calls', raw: undefined },
        usage,
        warnings: [],
      },
      {
        content: [{ type: 'text', text: 'Done.' }],
        finishReason: { unified: 'stop', raw: undefined },
        usage,
        warnings: [],
      },
    ],
  });
}
