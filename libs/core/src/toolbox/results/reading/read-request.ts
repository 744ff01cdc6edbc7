import { ToolSearchError } from '../../../tool/tool-search.error.js';
import { checkKeys } from '../../search/search-request.js';

/** A model's request to read a part of a held result. */
export interface ReadRequest {
  readonly handle: string;
  /** A JSON Pointer (RFC 6901). @default the whole result, as the model read it */
  readonly pointer?: string;
  /** The first item, key or character; of a search, the first match. */
  readonly offset: number;
  /** The most items, keys, characters or matches. @default as many as fit */
  readonly limit?: number;
  /** Finds this text, in any case, instead of reading. */
  readonly search?: string;
}

const KEYS = ['handle', 'pointer', 'offset', 'limit', 'search'];
const MAX_POINTER = 4096;
const MAX_SEARCH = 200;

/**
 * Checks a model's request. By hand, as that of a search: each fault has its own hint, by which the model corrects it.
 *
 * @throws ToolSearchError `INVALID_ARGUMENTS`
 */
export function readRequest(input: Readonly<Record<string, unknown>>): ReadRequest {
  checkKeys(input, KEYS);
  const { handle, pointer, offset = 0, limit, search } = input;
  if (typeof handle !== 'string')
    throw invalid('handle must be a text.', 'Copy it from the result that was shortened.');
  if (
    pointer !== undefined &&
    (typeof pointer !== 'string' || !/^(?:\/|$)/.test(pointer) || pointer.length > MAX_POINTER)
  ) {
    throw invalid('pointer must be a JSON Pointer.', 'It is empty for the whole, or begins with "/": "/items/7/name".');
  }
  if (!isCount(offset)) throw invalid('offset must be a whole number from 0.', 'Or leave it out.');
  if (limit !== undefined && !(isCount(limit) && limit > 0)) {
    throw invalid('limit must be a whole number from 1.', 'Or leave it out to read as much as fits.');
  }
  if (search !== undefined && (typeof search !== 'string' || search === '' || search.length > MAX_SEARCH)) {
    throw invalid(`search must be a text of 1 to ${MAX_SEARCH} characters.`, 'Or leave it out to read.');
  }
  return {
    handle,
    offset,
    ...(pointer !== undefined && { pointer }),
    ...(limit !== undefined && { limit }),
    ...(search !== undefined && { search }),
  };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function invalid(message: string, hint: string): ToolSearchError {
  return new ToolSearchError('INVALID_ARGUMENTS', message, { hint });
}
