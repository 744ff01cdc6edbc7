import { checkArgumentsText, isObject, parsedJson } from '@tool-search/core/internal';
import { keepsWholeNumbers } from '@tool-search/core/source';

/** Members that are objects of the protocol, whose own null members count as missing too. */
const PARTS = ['_meta', 'context', 'capabilities', 'clientInfo', 'ref', 'notifications'];

/**
 * Mends a request of a client in what has one meaning, before anything checks it: a member that is null counts as missing,
 * and arguments may come as JSON text. Null within the arguments of a tool is a value. Returns the same message if nothing
 * is to mend.
 *
 * @throws ToolSearchError `ARGUMENTS_TOO_LARGE`; `INVALID_ARGUMENTS` for a text in which an object has the same key twice
 */
export function soundRequest(message: unknown): unknown {
  if (!isObject(message) || typeof message['method'] !== 'string' || !isObject(message['params'])) {
    return isObject(message) && message['params'] === null ? withoutNulls(message) : message;
  }
  const { method, params: given } = message;
  const parts = PARTS.filter((name) => isObject(given[name]) && hasNulls(given[name]));
  if (!hasNulls(given) && parts.length === 0 && !isMendable(method, given['arguments'])) return message;
  const params = withoutNulls(given);
  for (const name of parts) params[name] = withoutNulls(params[name] as Record<string, unknown>);
  if (params['arguments'] !== undefined) params['arguments'] = argumentsOf(method, params['arguments']);
  return { ...message, params };
}

function hasNulls(part: object): boolean {
  return Object.values(part).includes(null);
}

function isMendable(method: string, given: unknown): boolean {
  return typeof given === 'string' || (method === 'prompts/get' && isObject(given) && hasNulls(given));
}

function argumentsOf(method: string, given: unknown): unknown {
  const parsed = typeof given === 'string' ? parsedText(given) : undefined;
  const input = isObject(parsed) ? parsed : given;
  // Arguments of prompts are texts.
  return method === 'prompts/get' && isObject(input) ? withoutNulls(input) : input;
}

function parsedText(text: string): unknown {
  // In the body that was checked, all of it was one value.
  checkArgumentsText(text);
  // A text whose numbers would be rounded is left for the server to refuse.
  return keepsWholeNumbers(text) ? parsedJson(text) : undefined;
}

function withoutNulls(part: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(part).filter(([name, value]) => value !== null || name === 'id'));
}
