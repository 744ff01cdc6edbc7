import type { CallToolResult, Result } from '@modelcontextprotocol/server';
import type { ListedTool, MetaTool, Toolbox, ToolResult } from '@tool-search/core';
import { isObject } from '@tool-search/core/internal';

/** A found tool as Anthropic's API reads it: the client puts the definition in its place. MCP has no such block. */
interface ToolReference {
  readonly type: 'tool_reference';
  readonly tool_name: string;
}

/** Carries references through the SDK, which refuses results with blocks that MCP does not know. Never sent. */
const REFERENCES = 'tool-search/references';

/** What is listed where a client keeps definitions back: every tool, and the search in front of them. */
export async function listedWithSearch(
  toolbox: Toolbox,
): Promise<{ readonly tools: readonly ListedTool[]; readonly meta: readonly MetaTool[] }> {
  const all = await toolbox.list();
  // Counted as what it is: most definitions are kept back.
  const { tools, meta } = await toolbox.surface({ mode: 'deferred', listsResultTool: true });
  const names = new Set(all.map(({ name }) => name));
  return {
    tools: [...all, ...tools.filter(({ name }) => !names.has(name))],
    meta: meta.filter(({ name }) => toolbox.metaKinds.get(name) === 'search'),
  };
}

/** Adds a reference to each found tool. @param shown names of listed tools. @param prefix which the client gives them */
export function withReferences(
  answer: CallToolResult,
  result: ToolResult,
  shown: ReadonlyMap<string, string>,
  prefix: string,
): CallToolResult {
  const structured = result.ok && isObject(result.structured) ? result.structured : {};
  const hits: readonly unknown[] = Array.isArray(structured['tools']) ? structured['tools'] : [];
  const references = hits.flatMap((hit): readonly ToolReference[] => {
    const name = isObject(hit) ? shown.get(String(hit['name'])) : undefined;
    return name === undefined ? [] : [{ type: 'tool_reference', tool_name: `${prefix}${name}` }];
  });
  return references.length === 0 ? answer : { ...answer, _meta: { ...answer._meta, [REFERENCES]: references } };
}

/** A result as it is sent, after the SDK has checked it. */
export function spelledOut(result: Result): Result {
  const { [REFERENCES]: references, ...meta } = result._meta ?? {};
  if (!Array.isArray(references)) return result;
  const { content, _meta, ...rest } = result as CallToolResult;
  return {
    ...rest,
    content: [...content, ...references],
    ...(Object.keys(meta).length > 0 && { _meta: meta }),
  } as Result;
}
