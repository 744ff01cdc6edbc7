import { isObject } from '../../json/json.js';
import { type SourceAnswer, toOutput } from '../../tool/tool-source.js';

const outputs = new WeakSet<object>();

/**
 * Marks what a handler returns as finished output (text, images, resource links, `isError`) instead of a value that is
 * to become JSON. An interceptor that copies the object makes it an ordinary value again.
 */
export function toolOutput(output: SourceAnswer): SourceAnswer {
  const marked = Object.freeze({ ...output });
  outputs.add(marked);
  return marked;
}

/** What a handler's return value means: finished output when it was marked, else text or JSON. */
export function answerOf(value: unknown): SourceAnswer {
  return isObject(value) && outputs.has(value) ? (value as unknown as SourceAnswer) : toOutput(value);
}
