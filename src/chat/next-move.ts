import { isObject } from '@tool-search/core';
import { answerFailure, answerNoTool, answerResult, askFor, leftOut } from './answering.js';
import { MetaWords, OWN_WORDS } from './meta-words.js';
import { readRequest, splitRequests, type UserRequest, withIdNouns, wordings } from './request-reading.js';
import { CERTAIN, type Choice, chooseTool, GOOD, type KnownTool, nameKey, worthReading } from './tool-choice.js';
import { localWords } from './tool-subject.js';
import { type Exchange, type ModelRequest, readTranscript } from './transcript.js';

/** What the demo model does next: one call, or its answer. */
export type Move = { readonly toolName: string; readonly input: unknown } | { readonly answer: string };

/** One thing the user wants, and what has been done for it so far. */
interface Task {
  readonly request: UserRequest;
  readonly exchanges: readonly Exchange[];
  /** Tools in the model's list, meta tools included; by their usual names. */
  readonly listed: readonly KnownTool[];
  /** Text of the result before. */
  readonly previous: string | undefined;
}

const MAX_READ = 3;
const MAX_MISSING = 3;

/**
 * Decides by the conversation alone, so equal conversations lead to equal moves: call a listed tool that fits beyond doubt,
 * else search, read the plausible hits, call the best one, search once more in other words, or say that no tool does this.
 *
 * @param words how the application speaks of the meta tools
 */
export function nextMove(request: Pick<ModelRequest, 'prompt' | 'tools'>, words = new MetaWords()): Move {
  const move = moveOf(request, words);
  return 'answer' in move ? move : words.call(move);
}

function moveOf({ prompt, tools = [] }: Pick<ModelRequest, 'prompt' | 'tools'>, words: MetaWords): Move {
  const { text, exchanges } = readTranscript(prompt);
  const listed = words
    .tools(tools)
    .flatMap((tool) =>
      tool.type === 'function'
        ? [{ name: tool.name, description: tool.description ?? '', inputSchema: { ...tool.inputSchema } }]
        : [],
    );
  const answers: string[] = [];
  let previous: string | undefined;
  let rest = exchanges.map((exchange) => words.exchange(exchange));
  const nouns = listed.flatMap(({ name }) => localWords(name));
  for (const part of splitRequests(text)) {
    const request = withIdNouns(readRequest(part), nouns);
    const done = rest.findIndex(({ toolName, reply }) => !isMeta(toolName) && reply.ok);
    const served = done < 0 ? rest : rest.slice(0, done + 1);
    rest = rest.slice(served.length);
    const result = done < 0 ? undefined : served.at(-1)?.reply;
    if (!result) {
      const move = moveFor({ request, exchanges: served, listed, previous });
      return 'answer' in move ? { answer: [...answers, move.answer].join('\n') } : move;
    }
    answers.push(
      [
        answerResult(result, request),
        ...leftOut(request, served.at(-1), knownTools({ exchanges: served, listed })),
      ].join('\n'),
    );
    previous = result.text;
  }
  return { answer: answers.join('\n') || 'What can I do for you?' };
}

function moveFor(task: Task): Move {
  const { request, exchanges, previous } = task;
  const attempts = exchanges.filter(({ toolName }) => !isMeta(toolName));
  const failed = attempts.at(-1);
  if (failed)
    return (attempts.length === 1 && corrected(task, failed)) || { answer: answerFailure(failed.reply, request) };

  const last = exchanges.at(-1)?.reply;
  // A definition that is gone by now is no fault; a search that failed is.
  if (last && !last.ok && last.code !== 'TOOL_NOT_AVAILABLE') return { answer: answerFailure(last, request) };

  const own = task.listed.filter(({ name }) => !isMeta(name));
  const searches = exchanges.filter(({ toolName }) => toolName === OWN_WORDS.search);
  const direct = chooseTool(request, own, previous);
  if (searches.length === 0 && direct && isReady(direct) && direct.score >= CERTAIN) return callOf(direct, task);

  const unread = unreadHits(task);
  if (unread.length > 0) return { toolName: OWN_WORDS.get, input: { names: unread } };
  const found = searches.length > 0 ? chooseTool(request, knownTools(task), previous) : undefined;
  if (found && isReady(found) && found.score >= GOOD) return callOf(found, task);

  const query = isListed(task, OWN_WORDS.search) ? wordings(request)[searches.length] : undefined;
  if (query !== undefined) return { toolName: OWN_WORDS.search, input: { query } };
  const best = found ?? direct;
  if (!best || best.fit < GOOD || !isWorthAsking(best, request)) return { answer: answerNoTool(request) };
  return isReady(best) ? callOf(best, task) : { answer: askFor(best) };
}

// A tool that has no place for what the user said, or wants much more, is hardly the one the user means.
function isWorthAsking({ filled: { missing, used } }: Choice, { values }: UserRequest): boolean {
  return missing.length <= MAX_MISSING && (used.size > 0 || values.length === 0 || missing.length === 0);
}

function isReady({ filled }: Choice): boolean {
  return filled.missing.length === 0;
}

/** Names of the newest search's hits to read, unless that has been done. */
function unreadHits({ request, exchanges, listed }: Task): string[] {
  const last = exchanges.at(-1);
  if (last?.toolName !== OWN_WORDS.search || !isListed({ listed }, OWN_WORDS.get)) return [];
  const read = exchanges
    .filter(({ toolName }) => toolName === OWN_WORDS.get)
    .flatMap((exchange) => toolsIn(exchange).map(({ name }) => name));
  return worthReading(request, toolsIn(last))
    .map(({ name }) => name)
    .filter((name) => !read.includes(name))
    .slice(0, MAX_READ);
}

/** Tools whose definitions have been read, then those in the list; hits that were not worth reading are neither. */
function knownTools(task: Pick<Task, 'exchanges' | 'listed'>): KnownTool[] {
  const said = (meta: string) => task.exchanges.filter(({ toolName }) => toolName === meta).flatMap(toolsIn);
  const hits = new Map(said(OWN_WORDS.search).map((hit) => [nameKey(hit.name), hit.rank ?? 0]));
  const read = said(OWN_WORDS.get).map((tool) => ({ ...tool, rank: hits.get(nameKey(tool.name)) ?? 0 }));
  const passedOver = isListed(task, OWN_WORDS.get) ? hits : new Map(read.map(({ name }) => [nameKey(name), 0]));
  return [...read, ...task.listed.filter(({ name }) => !isMeta(name) && !passedOver.has(nameKey(name)))];
}

function toolsIn({ reply }: Exchange): KnownTool[] {
  const tools = isObject(reply.json) ? reply.json['tools'] : undefined;
  if (!reply.ok || !Array.isArray(tools)) return [];
  return tools.flatMap((tool: unknown) => {
    if (!isObject(tool) || typeof tool['name'] !== 'string') return [];
    const { name, description, inputSchema, score } = tool;
    const said = typeof description === 'string' ? description : '';
    return [
      {
        name,
        description: said,
        ...(typeof score === 'number' && { rank: score }),
        ...(isObject(inputSchema) && { inputSchema }),
      },
    ];
  });
}

function callOf({ tool, filled }: Choice, task: Task): Move {
  const listedAs =
    task.listed.find(({ name }) => nameKey(name) === nameKey(tool.name)) ??
    // A long name goes over the wire shortened; its description tells.
    task.listed.find(({ name, description }) => !isMeta(name) && description === tool.description);
  const loaded = task.exchanges.some(({ toolName }) => toolName === OWN_WORDS.load);
  if (!listedAs && !loaded && isListed(task, OWN_WORDS.load))
    return { toolName: OWN_WORDS.load, input: { names: [tool.name] } };
  if (!listedAs && isListed(task, OWN_WORDS.call)) return throughBridge({ toolName: tool.name, input: filled.args });
  return { toolName: listedAs?.name ?? tool.name, input: filled.args };
}

function throughBridge({ toolName, input }: Extract<Move, { toolName: string }>): Move {
  return { toolName: OWN_WORDS.call, input: { name: toolName, arguments: input } };
}

/** The call again without the optional arguments that were refused, if there were any. */
function corrected(task: Task, { toolName, input, reply }: Exchange): Move | undefined {
  const tool = knownTools(task).find(({ name }) => name === toolName);
  if (reply.code !== 'INVALID_ARGUMENTS' || !isObject(input) || !tool) return undefined;
  const required: unknown = tool.inputSchema?.['required'];
  const refused = [...reply.text.matchAll(/\/([\w-]+)/g)].map((match) => match[1]);
  const kept = Object.entries(input).filter(
    ([name]) => !refused.includes(name) || (Array.isArray(required) && required.includes(name)),
  );
  if (kept.length === Object.keys(input).length) return undefined;
  const again = { toolName, input: Object.fromEntries(kept) };
  return isListed(task, toolName) ? again : throughBridge(again);
}

function isListed({ listed }: Pick<Task, 'listed'>, name: string): boolean {
  return listed.some((tool) => tool.name === name);
}

// The protocol of finding tools, the only names this model knows.
function isMeta(name: string): boolean {
  return Object.values(OWN_WORDS).includes(name);
}
