import { isObject } from '@tool-search/core';
import type { LanguageModel } from 'ai';
import { isVerb, wordsOf } from './words.js';

type Model = Extract<LanguageModel, { specificationVersion: 'v4' }>;
/** What a model is asked, in the SDK's form. */
export type ModelRequest = Parameters<Model['doGenerate']>[0];
type Message = ModelRequest['prompt'][number];
type ToolOutput = Extract<Extract<Message, { role: 'tool' }>['content'][number], { type: 'tool-result' }>['output'];

/** What a tool answered, in the one form this model reads. */
export interface ToolReply {
  readonly ok: boolean;
  /** Code of a refusal. */
  readonly code?: string;
  /** What was said: the result, or what went wrong. */
  readonly text: string;
  /** The text as JSON, where it is JSON. */
  readonly json?: unknown;
}

/** One call and its reply. */
export interface Exchange {
  readonly toolName: string;
  readonly input: unknown;
  readonly reply: ToolReply;
}

/** How an answer begins that asks the user for something. */
export const QUESTION_PREFIX = 'To do that';

/** The request being served, and what has been called for it so far. */
export function readTranscript(prompt: ModelRequest['prompt']): { text: string; exchanges: readonly Exchange[] } {
  const last = prompt.findLastIndex(({ role }) => role === 'user');
  const calls = new Map<string, { toolName: string; input: unknown }>();
  const exchanges: Exchange[] = [];
  for (const message of prompt.slice(last + 1)) {
    if (message.role !== 'assistant' && message.role !== 'tool') continue;
    for (const part of message.content) {
      if (part.type === 'tool-call') calls.set(part.toolCallId, part);
      const call = part.type === 'tool-result' ? calls.get(part.toolCallId) : undefined;
      if (part.type === 'tool-result' && call) exchanges.push({ ...call, reply: replyOf(part.output) });
    }
  }
  return { text: requestText(prompt, last), exchanges };
}

// What answers a question of ours belongs to the request that made us ask.
function requestText(prompt: ModelRequest['prompt'], last: number): string {
  const message = prompt[last];
  if (!message) return '';
  const before = prompt.slice(0, last);
  const asked = before.at(-1)?.role === 'assistant' && textOf(before.at(-1)).startsWith(QUESTION_PREFIX);
  const earlier = asked
    ? requestText(
        prompt,
        before.findLastIndex(({ role }) => role === 'user'),
      )
    : '';
  return earlier === '' || isRequest(textOf(message))
    ? textOf(message)
    : `${earlier.replace(/[\s.!?]+$/u, '')}, ${textOf(message)}`;
}

// Who asks for something else does not answer; a single word may be a value as well as a verb.
function isRequest(text: string): boolean {
  const [first = '', ...others] = wordsOf(text);
  return others.length > 0 && (isVerb(first) || /^(?:what|which|who|where|when|how|please)$/.test(first));
}

const MAX_TEXT = 2000;

function textOf(message: Message | undefined): string {
  if (!message || message.role === 'system' || message.role === 'tool') return '';
  const text = message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(' ');
  // Enough for a request; the patterns it is read with take longer than linear time.
  return text.slice(0, MAX_TEXT);
}

function replyOf(output: ToolOutput): ToolReply {
  switch (output.type) {
    case 'text':
      return fromText(output.value);
    case 'json':
    case 'error-json':
      return fromJson(output.value, output.type === 'json');
    case 'error-text':
      return { ok: false, text: output.value };
    case 'execution-denied':
      return { ok: false, text: output.reason ?? 'The call was not allowed.' };
    case 'content': {
      const files = output.value.filter((part) => part.type !== 'text').length;
      const texts = output.value.flatMap((part) => (part.type === 'text' ? [part.text] : []));
      return {
        ok: true,
        text: [...texts, ...(files > 0 ? [`(${files} file${files > 1 ? 's' : ''})`] : [])].join('\n'),
      };
    }
  }
}

function fromText(text: string): ToolReply {
  try {
    return fromJson(JSON.parse(text), true, text);
  } catch {
    return { ok: true, text };
  }
}

function fromJson(json: unknown, good: boolean, text = JSON.stringify(json)): ToolReply {
  if (!isObject(json) || json['ok'] !== false || typeof json['message'] !== 'string') return { ok: good, text, json };
  const said = typeof json['content'] === 'string' ? json['content'] : json['message'];
  return { ok: false, text: said, ...(typeof json['code'] === 'string' && { code: json['code'] }) };
}
