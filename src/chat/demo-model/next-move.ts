import { isObject, type MetaNames } from '@tool-search/core/internal';
import { chooseTool, fitOf, type KnownTool } from './tool-choice.js';
import { type Exchange, type ModelRequest, QUESTION_PREFIX, readTranscript } from './transcript.js';
import { readRequest, type UserRequest } from './user-request.js';
import { synonymsOf } from './words.js';

/** The next step of the demo model: one call, or its answer. */
export type Move = { readonly toolName: string; readonly input: unknown } | { readonly answer: string };

const MAX_READ = 3;

/**
 * Decides by the conversation alone, so equal conversations lead to equal moves: search with the user's words, read the
 * best hits, call the one that fits, or ask for what is missing.
 *
 * @param meta how the application names the meta tools
 */
export function nextMove({ prompt, tools = [] }: Pick<ModelRequest, 'prompt' | 'tools'>, meta: MetaNames): Move {
  const { text, exchanges } = readTranscript(prompt);
  const request = readRequest(text);
  const last = exchanges.at(-1);
  const exchangesWith = (name: string) => exchanges.filter(({ toolName }) => toolName === name);
  const isListed = (name: string) => tools.some((tool) => tool.name === name);
  if (last && !last.ok) return { answer: `That did not work: ${last.text}` };
  const lookups = [meta.search, meta.get, meta.load];
  if (last && !lookups.includes(last.toolName)) return { answer: last.text.trim() || 'Done.' };
  if (request.verb === '') return { answer: 'What can I do for you?' };

  const known = exchangesWith(meta.get).flatMap(toolsIn);
  if (last?.toolName === meta.search && isListed(meta.get)) {
    const names = toolsIn(last)
      .filter((hit) => fitOf(request, hit) > 0 && !known.some(({ name }) => name === hit.name))
      .toSorted((left, right) => fitOf(request, right) - fitOf(request, left))
      .map(({ name }) => name);
    if (names.length > 0) return { toolName: meta.get, input: { names: names.slice(0, MAX_READ) } };
  }
  const searches = exchangesWith(meta.search).length;
  const queries = isListed(meta.search) ? queriesOf(request) : [];
  const listed = tools.flatMap((tool): KnownTool[] =>
    tool.type === 'function' && !Object.values(meta).includes(tool.name)
      ? [{ name: tool.name, description: tool.description ?? '', inputSchema: { ...tool.inputSchema } }]
      : [],
  );
  // What is listed may not be the best there is, so a search comes first.
  const choice = searches > 0 || queries.length === 0 ? chooseTool(request, [...known, ...listed]) : undefined;
  if (choice?.missing.length === 0) {
    const { name } = choice.tool;
    if (!isListed(name) && isListed(meta.load) && exchangesWith(meta.load).length === 0) {
      return { toolName: meta.load, input: { names: [name] } };
    }
    const isBridged = !isListed(name) && isListed(meta.call);
    return isBridged
      ? { toolName: meta.call, input: { name, arguments: choice.args } }
      : { toolName: name, input: choice.args };
  }
  if (searches < queries.length) return { toolName: meta.search, input: { query: queries[searches] } };
  if (!choice) return { answer: `I have no tool for this (${[request.verb, ...request.nouns].join(' ')}).` };
  const missing = choice.missing.join(' and ');
  return { answer: `${QUESTION_PREFIX} with ${choice.tool.name} I need ${missing}. Please tell me.` };
}

/** The user's words without their values; then synonyms of the verb in its place. */
function queriesOf({ verb, nouns }: UserRequest): string[] {
  const verbs = [[verb], synonymsOf(verb)].filter((words) => words.length > 0);
  return verbs.map((words) => [...words, ...nouns].join(' '));
}

function toolsIn({ ok, json }: Exchange): KnownTool[] {
  const tools: unknown = isObject(json) ? json['tools'] : undefined;
  if (!ok || !Array.isArray(tools)) return [];
  return tools.filter(isObject).map(({ name, description, inputSchema }) => ({
    name: String(name),
    description: typeof description === 'string' ? description : '',
    ...(isObject(inputSchema) && { inputSchema }),
  }));
}
