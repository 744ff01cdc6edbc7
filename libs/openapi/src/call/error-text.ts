import type { JsonValue } from '@tool-search/core';
import { isObject, truncated } from '@tool-search/core/internal';
import { trimmedJson } from './trimmed-json.js';

const MAX_ERROR_TEXT = 2000;
const MAX_READ = 20_000;
const INNER_KEYS =
  /^(stack_?trace|stack|trace_?back|trace|exceptions?|inner_?(error|exception)|debug|cause|sql|query_?string)$/i;
const MAX_FRAME = 500;
const PYTHON_TRACE = /Traceback \(most recent call last\)/;
const URL_CREDENTIALS = /([a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/@]{1,200}@/gi;
const FRAME =
  /^\s*(at\s.+[:(].*|File ".+", line \d+.*|Traceback \(most recent.*|\s*from .+:\d+:in .*|.+\.(js|ts|py|java|rb|go|php|cs):\d+.*)$/;

/** The API's error message without stack traces and other internals, at most 2,000 characters. */
export function errorText(text: string, value: JsonValue | undefined): string {
  if (value !== undefined) return JSON.stringify(trimmedJson(withoutInnerKeys(value), MAX_ERROR_TEXT).value);
  const kept = withoutFrames(text.slice(0, MAX_READ));
  return kept.length > MAX_ERROR_TEXT ? `${truncated(kept, MAX_ERROR_TEXT)}…` : kept;
}

function withoutInnerKeys(value: JsonValue): JsonValue {
  if (typeof value === 'string') return withoutFrames(value);
  if (Array.isArray(value)) return value.map((item: JsonValue) => withoutInnerKeys(item));
  if (!isObject(value)) return value;
  const entries = Object.entries(value as Record<string, JsonValue>).filter(([key]) => !INNER_KEYS.test(key));
  return Object.fromEntries(entries.map(([key, item]) => [key, withoutInnerKeys(item)]));
}

function withoutFrames(text: string): string {
  // In Python the exception follows its trace; elsewhere it precedes it.
  const [before = ''] = text.split(PYTHON_TRACE, 1);
  const lines = before.replace(URL_CREDENTIALS, '$1[removed]@').trimEnd().split('\n');
  const isFrame = lines.map((line) => line.length <= MAX_FRAME && FRAME.test(line));
  // The line above the first frame is the exception's message, an internal detail that callers must not see.
  const thrown = isFrame.indexOf(true) - 1;
  return lines.filter((_, index) => !isFrame[index] && index !== thrown).join('\n');
}
