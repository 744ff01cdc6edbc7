/**
 * Every code a caller, a model or an operator can meet. The list is closed: docs/errors.md documents each one, and the
 * error filter maps each one to an HTTP status.
 */
export const TOOL_SEARCH_ERROR_CODES = [
  // what a model or a caller asked for
  'INVALID_QUERY',
  'QUERY_TOO_LONG',
  'INVALID_PATTERN',
  'PATTERN_UNSUPPORTED',
  'PATTERN_TOO_COSTLY',
  'INVALID_ARGUMENTS',
  'ARGUMENTS_TOO_LARGE',
  'TOO_MANY_NAMES',
  'TOOL_NOT_AVAILABLE',
  // only for tools the caller may see
  'TOOL_FORBIDDEN',
  'TOOL_FAILED',
  'TOOL_TIMEOUT',
  'TOOL_CANCELLED',
  'SOURCE_UNAVAILABLE',
  'UPSTREAM_INVALID',
  'UPSTREAM_TOO_LARGE',
  'ACTIVATION_LIMIT',
  'APPROVAL_REQUIRED',
  'APPROVAL_PENDING',
  'APPROVAL_REFUSED',
  // the same for every name
  'GATE_CLOSED',
  'SESSION_REQUIRED',
  'INVALID_SESSION',
  'INVALID_CONTEXT',
  'UNAUTHENTICATED',
  'CONTEXT_UNAVAILABLE',
  'FORBIDDEN',
  'NOT_FOUND',
  'RATE_LIMITED',
  // runs
  'RUN_NOT_FOUND',
  'RUN_DRIFTED',
  // operators
  'INVALID_REQUEST',
  'REVISION_CONFLICT',
  'CONFIRMATION_REQUIRED',
  'STATIC_POLICY',
  'STORE_UNAVAILABLE',
  // boot and catalog
  'INVALID_CONFIGURATION',
  'INVALID_TOOL',
  'DUPLICATE_TOOL',
  'SOURCE_LIMIT',
  'INTERNAL',
] as const;

/** A code of {@link TOOL_SEARCH_ERROR_CODES}. */
export type ToolSearchErrorCode = (typeof TOOL_SEARCH_ERROR_CODES)[number];

/**
 * The one error of the library. Match on `code`, never on class identity. `message` says what happened and `hint` what
 * to do next, in words a model may read; the technical cause stays in `cause` and never reaches a caller.
 */
export class ToolSearchError extends Error {
  readonly hint?: string;

  constructor(
    readonly code: ToolSearchErrorCode,
    message: string,
    options: { hint?: string; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ToolSearchError';
    if (options.hint !== undefined) this.hint = options.hint;
  }
}

/** Recognises the error across copies of the package. */
export function isToolSearchError(error: unknown): error is ToolSearchError {
  return error instanceof Error && error.name === 'ToolSearchError' && 'code' in error;
}
