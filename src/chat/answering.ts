import { isObject } from '@tool-search/core';
import type { Choice, KnownTool } from './tool-choice.js';
import type { UserRequest } from './request-reading.js';
import { isLooking, sameState, sameThing, stem, stemsOf } from './words.js';
import { type Exchange, QUESTION_PREFIX, type ToolReply } from './transcript.js';

const MAX_CHARS = 2000;
const MAX_LINES = 30;

/** A result in a few lines. */
export function answerResult({ text, json }: ToolReply, { action }: UserRequest): string {
  const said = isObject(json) || Array.isArray(json) ? lines(json).join('\n') : text.trim();
  if (said === '') return 'Done.';
  const short = said.length > MAX_CHARS ? `${said.slice(0, MAX_CHARS)}…` : said;
  return said === text.trim() || isLooking(action) ? short : `Done:\n${short}`;
}

/** Which words of a request for a list did not matter to the call, as a line or none. */
export function leftOut(request: UserRequest, call: Exchange | undefined, tools: readonly KnownTool[]): string[] {
  if (!call || request.fact || !/^(?:list|search)$/.test(request.verb)) return [];
  const description = tools.find(({ name }) => name === call.toolName)?.description ?? '';
  const taken = new Set(stemsOf(`${call.toolName} ${description} ${JSON.stringify(call.input)}`));
  const isTaken = (word: string) => [...sameThing(word), ...sameState(word).map(stem)].some((same) => taken.has(same));
  const names = request.values.filter(({ kind }) => kind === 'name' || kind === 'labelled').map(({ text }) => text);
  const left = [...request.objects, ...names].filter((words) => !stemsOf(words).some(isTaken));
  return left.length > 0 ? [`(Not taken into account: ${left.join(', ')}.)`] : [];
}

/** That something did not work, in the words of whoever refused. */
export function answerFailure({ code, text }: ToolReply, request: UserRequest): string {
  if (code === 'TOOL_NOT_AVAILABLE' || code === 'TOOL_FORBIDDEN') return answerNoTool(request);
  return `That did not work: ${text.slice(0, 500)}`;
}

/** That no tool does this. */
export function answerNoTool({ action, objects, implied }: UserRequest): string {
  const need = [action, ...(objects.length > 0 ? objects : implied)].join(' ');
  return need.trim() === '' ? 'What can I do for you?' : `I have no tool for this (${need}).`;
}

/** Asks for what a tool needs and the user has not said. */
export function askFor({ tool, filled }: Choice): string {
  const names = filled.missing.map(({ name, description }) => {
    const [hint] = (description ?? '').split(/(?<=[.!?])\s|\n/);
    return hint ? `${name} (${hint.slice(0, 120).replace(/[.\s]+$/, '')})` : name;
  });
  const list = names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : names.join('');
  return `${QUESTION_PREFIX} with ${tool.name} I need ${list}. Please tell me.`;
}

function lines(json: unknown, indent = ''): string[] {
  if (Array.isArray(json)) {
    if (json.length === 0) return [`${indent}(none)`];
    return json.slice(0, MAX_LINES).map((item) => `${indent}- ${inline(item)}`);
  }
  if (!isObject(json)) return [`${indent}${String(json)}`];
  return Object.entries(json)
    .slice(0, MAX_LINES)
    .flatMap(([key, value]) =>
      Array.isArray(value) && value.some(isObject)
        ? [`${indent}${key}:`, ...lines(value, `${indent}  `)]
        : [`${indent}${key}: ${inline(value)}`],
    );
}

function inline(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? '(none)' : value.map(inline).join(', ');
  if (!isObject(value)) return String(value);
  return Object.entries(value)
    .map(([key, item]) => `${key}: ${inline(item)}`)
    .join(', ');
}
