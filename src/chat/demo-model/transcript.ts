import { isObject } from '@tool-search/core/internal';
import type { LanguageModel } from 'ai';

export type Model = Extract<LanguageModel, { specificationVersion: 'v4' }>;
export type ModelRequest = Parameters<Model['doGenerate']>[0];
type Message = ModelRequest['prompt'][number];
type ToolResult = Extract<Extract<Message, { role: 'tool' }>['content'][number], { type: 'tool-result' }>;

export interface Exchange {
  readonly toolName: string;
  readonly ok: boolean;
  /** The result, or what went wrong; as JSON too, where it is JSON. */
  readonly text: string;
  readonly json?: unknown;
}

/** How an answer begins that asks the user for something. */
export const QUESTION_PREFIX = 'To do that';
const MAX_TEXT = 2000;

/** The request being served, and what has been called for it so far. */
export function readTranscript(prompt: ModelRequest['prompt']): { text: string; exchanges: readonly Exchange[] } {
  const last = prompt.findLastIndex(({ role }) => role === 'user');
  const parts = prompt.slice(last + 1).flatMap(({ role, content }) => (role === 'tool' ? content : []));
  const exchanges = parts.flatMap((part) => (part.type === 'tool-result' ? [exchangeOf(part)] : []));
  return { text: requestText(prompt.slice(0, last + 1)), exchanges };
}

// A short answer to a question of this model belongs to the request that made it ask; a sentence is a new request.
function requestText(prompt: ModelRequest['prompt']): string {
  const text = textOf(prompt.at(-1));
  const isShort = (text.match(/"[^"]*"|\S+/g) ?? []).length <= 3;
  if (!isShort || !textOf(prompt.at(-2)).startsWith(QUESTION_PREFIX)) return text;
  const earlier = prompt.slice(0, -1).findLastIndex(({ role }) => role === 'user');
  return `${requestText(prompt.slice(0, earlier + 1)).replace(/[\s.!?]+$/, '')}\n${text}`;
}

// Longer than any sensible request; reading one takes more than linear time.
function textOf(message: Message | undefined): string {
  if (message?.role !== 'user' && message?.role !== 'assistant') return '';
  const texts = message.content.map((part) => (part.type === 'text' ? part.text : ''));
  return texts.join(' ').slice(0, MAX_TEXT);
}

function exchangeOf({ toolName, output }: ToolResult): Exchange {
  const ok = !output.type.startsWith('error') && output.type !== 'execution-denied';
  const text = resultText(output);
  try {
    const json: unknown = JSON.parse(text);
    if (!isObject(json) || json['ok'] !== false) return { toolName, ok, text, json };
    return { toolName, ok: false, text: String(json['content'] ?? json['message']) };
  } catch {
    return { toolName, ok, text };
  }
}

function resultText(output: ToolResult['output']): string {
  if (output.type === 'execution-denied') return output.reason ?? 'The call was not allowed.';
  if (output.type !== 'content') return typeof output.value === 'string' ? output.value : JSON.stringify(output.value);
  return output.value.map((part) => (part.type === 'text' ? part.text : '(a file)')).join('\n');
}
