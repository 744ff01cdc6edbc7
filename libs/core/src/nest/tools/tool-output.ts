import { isObject } from '../../json/json.js';
import { type SourceAnswer, toOutput } from '../../tool/tool-source.js';

const outputs = new WeakSet<object>();

/**
 * Marks a handler's return value as finished output (text, images, resource links, `isError`) instead of a value to
 * convert to JSON. The mark belongs to the object: an interceptor that copies it loses the mark.
 */
export function toolOutput(output: SourceAnswer): SourceAnswer {
  const marked = Object.freeze({ ...output });
  outputs.add(marked);
  return marked;
}

/** Converts a handler's return value: marked output is kept, any other value becomes text or JSON. */
export function answerOf(value: unknown): SourceAnswer {
  return isObject(value) && outputs.has(value) ? (value as unknown as SourceAnswer) : toOutput(value);
}
