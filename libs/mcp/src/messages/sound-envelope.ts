import { type RequestId, SERVER_INFO_META_KEY } from '@modelcontextprotocol/client';
import { isObject } from '@tool-search/core/internal';

/** JSON-RPC error code for a response that does not answer the request. */
export const NOT_ANSWERED = -32_098;

const INTERNAL_ERROR = -32_603;
const MEMBERS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error']);
/** Members of `_meta` that the SDK checks. What else is there may be anything. */
const CHECKED_META: readonly string[] = ['progressToken', 'io.modelcontextprotocol/related-task', SERVER_INFO_META_KEY];

/**
 * Mends the envelope of a message in what has one meaning, before the SDK checks it: a member that is null counts as
 * missing, members that JSON-RPC does not know are left out, an id may come back as text. A response with a result and an
 * error, or with neither, becomes an error with the code {@link NOT_ANSWERED}, so that its request does not wait.
 *
 * Returns the same value if nothing is to mend, and what is no message at all, which the SDK refuses.
 *
 * @param request the only request that a response without an id can answer
 */
export function soundEnvelope(raw: unknown, request?: RequestId): unknown {
  if (!isObject(raw) || isSound(raw, request)) return raw;
  const { method } = raw;
  if (typeof method === 'string') {
    const params = isObject(raw['params']) ? withSoundMeta(raw['params']) : undefined;
    return { ...headOf(raw['id']), method, ...(params && { params }) };
  }
  // Noise of a child process or a stream may look like a message, but answers nothing.
  if (!('result' in raw) && !('error' in raw) && !('jsonrpc' in raw && isId(raw['id']))) return raw;
  const head = headOf(answeredId(raw['id'], request));
  const result = isObject(raw['result']) ? withSoundMeta(raw['result']) : undefined;
  const error = errorOf(raw['error'], result !== undefined);
  if (error && !result) return { ...head, error };
  if (result && !error) return { ...head, result };
  const message = result ? 'what was answered is both a result and an error' : 'what was answered is no result';
  return { ...head, error: { code: NOT_ANSWERED, message } };
}

function isSound(raw: Readonly<Record<string, unknown>>, request: RequestId | undefined): boolean {
  const { id, params, result, error } = raw;
  if (raw['jsonrpc'] !== '2.0') return false;
  for (const name in raw) if (!MEMBERS.has(name) || raw[name] === null) return false;
  if (id !== undefined && !isId(id)) return false;
  if ('method' in raw) {
    if (typeof raw['method'] !== 'string' || 'result' in raw || 'error' in raw) return false;
    return params === undefined || hasSoundMeta(params);
  }
  if ('params' in raw || answeredId(id, request) !== id) return false;
  if (error === undefined) return hasSoundMeta(result);
  return result === undefined && isObject(error) && Number.isInteger(error['code']) && isText(error['message']);
}

function headOf(id: unknown): { readonly jsonrpc: '2.0'; readonly id?: RequestId } {
  return { jsonrpc: '2.0', ...(isId(id) && { id }) };
}

/** The id of a response: servers send numbers back as texts, or leave the id of an error out. */
function answeredId(id: unknown, request: RequestId | undefined): unknown {
  if (!isId(id)) return request;
  return typeof request === 'number' && id === String(request) ? request : id;
}

/** @param isAnswered whether there is a result too: then an error that says nothing is none */
function errorOf(raw: unknown, isAnswered: boolean): object | undefined {
  if (!isObject(raw)) return raw ? { code: INTERNAL_ERROR, message: isText(raw) ? raw : '' } : undefined;
  const { code, message, data } = raw;
  const isEmpty = [code, message].every((member) => member === undefined || member === null);
  if (isEmpty && isAnswered) return undefined;
  const number = isText(code) && code.trim() !== '' ? Number(code) : code;
  return {
    code: Number.isInteger(number) ? number : INTERNAL_ERROR,
    message: isText(message) ? message : '',
    ...(data !== undefined && data !== null && { data }),
  };
}

function hasSoundMeta(holder: unknown): boolean {
  if (!isObject(holder)) return false;
  const meta = holder['_meta'];
  if (meta === undefined) return !('_meta' in holder);
  if (!isObject(meta)) return false;
  return CHECKED_META.every((key) => !(key in meta) || isSoundMeta(key, meta[key]));
}

function withSoundMeta(holder: Record<string, unknown>): Record<string, unknown> {
  if (hasSoundMeta(holder)) return holder;
  const { _meta: meta, ...rest } = holder;
  if (!isObject(meta)) return rest;
  const kept = Object.entries(meta).filter(([key, value]) => !CHECKED_META.includes(key) || isSoundMeta(key, value));
  return { ...rest, _meta: Object.fromEntries(kept) };
}

function isSoundMeta(key: string, value: unknown): boolean {
  if (key === 'progressToken') return isId(value);
  return isObject(value) && (key === SERVER_INFO_META_KEY || isText(value['taskId']));
}

function isId(value: unknown): value is RequestId {
  return typeof value === 'string' || Number.isInteger(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
