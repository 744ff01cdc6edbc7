import { type MetaNames, type ModelHint, OWN_META_NAMES } from './meta-names.js';
import type { ToolContent } from './tool-definition.js';

/** All error codes, a closed list: docs/errors.md documents each, and the error filter maps each to an HTTP status. */
// prettier-ignore
export const TOOL_SEARCH_ERROR_CODES = [
  // requests of a model or a caller
  'INVALID_QUERY', 'QUERY_TOO_LONG', 'INVALID_PATTERN', 'PATTERN_UNSUPPORTED', 'PATTERN_TOO_COSTLY',
  'INVALID_ARGUMENTS', 'ARGUMENTS_TOO_LARGE', 'TOO_MANY_NAMES', 'TOOL_NOT_AVAILABLE',
  // only for tools that the caller can see
  'TOOL_FORBIDDEN', 'TOOL_FAILED', 'TOOL_TIMEOUT', 'TOOL_CANCELLED', 'SOURCE_UNAVAILABLE', 'SOURCE_BUSY',
  'UPSTREAM_INVALID', 'UPSTREAM_TOO_LARGE', 'REDACTION_FAILED', 'ACTIVATION_LIMIT', 'APPROVAL_REQUIRED', 'APPROVAL_PENDING', 'APPROVAL_REFUSED',
  'LIMIT_REACHED', 'ARGUMENTS_NOT_ALLOWED', 'CALL_REFUSED', 'RESULT_NOT_AVAILABLE', 'TOOL_RETIRED', 'CREDENTIALS_REQUIRED', 'CREDENTIALS_UNREADABLE',
  // independent of the tool
  'GATE_CLOSED', 'SESSION_REQUIRED', 'INVALID_SESSION', 'INVALID_CONTEXT', 'UNAUTHENTICATED', 'CONTEXT_UNAVAILABLE',
  'FORBIDDEN', 'NOT_FOUND', 'RATE_LIMITED',
  // runs
  'RUN_NOT_FOUND', 'RUN_DRIFTED',
  // operators
  'INVALID_REQUEST', 'REVISION_CONFLICT', 'CONFIRMATION_REQUIRED', 'CONFIRMATION_REFUSED', 'INPUT_REQUIRED', 'STATIC_POLICY', 'STORE_UNAVAILABLE',
  // boot and catalog
  'INVALID_CONFIGURATION', 'INVALID_TOOL', 'DUPLICATE_TOOL', 'SOURCE_LIMIT', 'INTERNAL',
] as const;

/** The error codes. The list is closed; docs/errors.md explains each. */
export type ToolSearchErrorCode = (typeof TOOL_SEARCH_ERROR_CODES)[number];

/**
 * The library's only error class. Match on `code`, not on the class: an application may have two copies of the package.
 * `message` describes what happened and `hint` what to do next; both may be shown to a model. The technical `cause`
 * never reaches a caller.
 */
export class ToolSearchError extends Error {
  /** With the default names of the meta tools. */
  readonly hint?: string;
  /** Seconds after which it is worth trying again: a whole number from 1. */
  readonly retryAfterSeconds?: number;
  /** The limit that refused a call, with `LIMIT_REACHED`. */
  readonly limit?: string;
  /** Where the user connects an account, with `CREDENTIALS_REQUIRED`. No secret: the address asks who opens it. */
  readonly connectUrl?: string;
  /** What a server says about its refusal, for the model: data of the server, like the content of a result. */
  readonly content?: readonly ToolContent[];
  readonly #modelHint: ModelHint | undefined;

  constructor(
    readonly code: ToolSearchErrorCode,
    message: string,
    options: {
      /** A function where it names meta tools: applications rename them, and not every model has them. */
      hint?: string | ModelHint;
      retryAfterSeconds?: number;
      limit?: string;
      connectUrl?: string;
      content?: readonly ToolContent[];
      cause?: unknown;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ToolSearchError';
    this.#modelHint = typeof options.hint === 'function' ? options.hint : undefined;
    const hint = typeof options.hint === 'function' ? options.hint(OWN_META_NAMES) : options.hint;
    if (hint !== undefined) this.hint = hint;
    if (options.retryAfterSeconds !== undefined) this.retryAfterSeconds = options.retryAfterSeconds;
    if (options.limit !== undefined) this.limit = options.limit;
    if (options.connectUrl !== undefined) this.connectUrl = options.connectUrl;
    if (options.content !== undefined) this.content = options.content;
  }

  /** The hint for a model that has these meta tools under these names. */
  hintFor(names: Partial<MetaNames>): string | undefined {
    return this.#modelHint ? this.#modelHint(names) : this.hint;
  }
}

/** Recognizes the error across copies of the package. */
export function isToolSearchError(error: unknown): error is ToolSearchError {
  return error instanceof Error && error.name === 'ToolSearchError' && 'code' in error;
}

/** {@link ToolSearchError.hintFor}, also for an error of an older copy of the package, whose hint is a text. */
export function hintOf(error: ToolSearchError, names: Partial<MetaNames>): string | undefined {
  const known: Pick<ToolSearchError, 'hint'> & Partial<Pick<ToolSearchError, 'hintFor'>> = error;
  return known.hintFor ? known.hintFor(names) : known.hint;
}
