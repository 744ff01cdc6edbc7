import type { ActivateReply, FoundTool, SearchReply, Toolbox, ToolFailure } from '@tool-search/core';
import { failureOf, wireName } from '@tool-search/core/adapter';
import { isObject } from '@tool-search/core/internal';
import type {
  ResponseInputItem,
  ResponseToolSearchCall,
  ResponseToolSearchOutputItemParam,
} from 'openai/resources/responses/responses';
import { parsedArguments } from '../wire/call-arguments.js';
import { OPENAI_LIMITS } from '../wire/provider-limits.js';
import { loadedTools } from './responses-tools.js';
import type { WireTool, WireToolbox } from '../wire/wire-toolbox.js';

type SearchToolbox = Pick<Toolbox, 'search' | 'activate' | 'surface'> & Partial<Pick<Toolbox, 'metaKinds'>>;

/**
 * Answers a search of the API's own search tool. Its output can contain only tools, so other information for the model,
 * for example why nothing was found, follows in a message.
 *
 * @param isTaken whether one of the caller's own tools has this name
 */
export async function answerToolSearch(
  call: ResponseToolSearchCall,
  toolbox: SearchToolbox,
  wire: WireToolbox,
  isTaken: (name: string) => boolean,
): Promise<{ readonly items: readonly ResponseInputItem[]; readonly loaded: readonly string[] }> {
  const { found: all, words, receipt } = await foundTools(call.arguments, toolbox, wire);
  const found = all.filter(({ name }) => !isTaken(name));
  const output: ResponseToolSearchOutputItemParam = {
    type: 'tool_search_output',
    execution: 'client',
    call_id: call.call_id,
    status: 'completed',
    tools: loadedTools(found),
  };
  const texts = [
    ...(words ? [JSON.stringify({ tool_search: words })] : []),
    ...(receipt === undefined ? [] : [receipt]),
  ];
  const message: ResponseInputItem = { type: 'message', role: 'developer', content: texts.join('\n\n') };
  return { items: texts.length === 0 ? [output] : [output, message], loaded: found.map(({ name }) => name) };
}

type Words = ToolFailure | (Partial<SearchReply> & { readonly notLoaded?: readonly string[] });

interface Found {
  readonly found: readonly WireTool[];
  readonly words?: Words;
  /** The receipt for a conversation that keeps its activations in messages. */
  readonly receipt?: string | undefined;
}

async function foundTools(input: unknown, toolbox: SearchToolbox, wire: WireToolbox): Promise<Found> {
  try {
    const { query, limit, namespace } = argumentsOf(input);
    const reply = await toolbox.search({
      query: query as string,
      ...(limit !== undefined && { limit: limit as number }),
      ...(namespace !== undefined && { namespace: namespace as string }),
    });
    const isHeldBack = (tool: FoundTool) => 'offered' in tool && tool.offered === false;
    const names = reply.tools.filter((tool) => !isHeldBack(tool)).map(({ name }) => name);
    const notLoaded = reply.tools.filter(isHeldBack).map(({ name }) => wireName(name, OPENAI_LIMITS.nameChars));
    let found = await listedTools(names, wire);
    const loaded = found.length < names.length ? await loading(names, toolbox) : undefined;
    if (loaded && 'activated' in loaded) found = await listedTools(names, wire);
    const words = loaded && 'ok' in loaded ? loaded : notes(reply, notLoaded, getName(toolbox));
    const receipt = loaded && 'activated' in loaded ? loaded.receipt : reply.receipt;
    return { found, receipt, ...(words && { words }) };
  } catch (error) {
    return { found: [], words: failureOf(error) };
  }
}

/**
 * Activates tools by loading them, because a search is how this API loads. Undefined where nothing is left to load:
 * tools that are listed already but cannot be declared are not activated again.
 */
async function loading(
  names: readonly string[],
  toolbox: SearchToolbox,
): Promise<ToolFailure | ActivateReply | undefined> {
  const { tools } = await toolbox.surface({ mode: 'native', canDefer: true });
  const listed = new Set(tools.map(({ name }) => name));
  const missing = names.filter((name) => !listed.has(name));
  if (missing.length === 0) return undefined;
  return toolbox.activate(missing).catch(failureOf);
}

/** The current tools of these names, best first, without those that the API would refuse. */
async function listedTools(names: readonly string[], wire: WireToolbox): Promise<readonly WireTool[]> {
  const { tools } = await wire.step();
  const byName = new Map(tools.map((tool) => [tool.definition?.name, tool]));
  return names.flatMap((name) => byName.get(name) ?? []);
}

/** The application's name of the meta tool that reads definitions. */
function getName({ metaKinds = new Map() }: Pick<SearchToolbox, 'metaKinds'>): string {
  return [...metaKinds].find(([, kind]) => kind === 'get')?.[0] ?? 'tool_get';
}

function notes(
  { verdict, unmatched, notice, hint }: SearchReply,
  notLoaded: readonly string[],
  get: string,
): Exclude<Words, ToolFailure> | undefined {
  if (verdict === 'found' && notice === undefined && notLoaded.length === 0) return undefined;
  const next =
    hint ?? (notLoaded.length > 0 ? `Read a tool that is not loaded with ${get} before you call it.` : undefined);
  return {
    verdict,
    ...(verdict !== 'found' && { unmatched }),
    ...(notLoaded.length > 0 && { notLoaded }),
    ...(notice !== undefined && { notice }),
    ...(next !== undefined && { hint: next }),
  };
}

// The API sends arguments as an object; a model behind a proxy may send them as text.
function argumentsOf(input: unknown): Record<string, unknown> {
  const given = typeof input === 'string' ? parsedArguments(input) : { input };
  return 'input' in given && isObject(given.input) ? given.input : {};
}
