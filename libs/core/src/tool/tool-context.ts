import { deepFreeze, depthOf, isObject, poisonedKey } from './json.js';
import { ToolSearchError } from './tool-search.error.js';

/**
 * Who is asking. Applications add their own JSON fields by declaration merging:
 *
 * ```ts
 * declare module '@tool-search/core' { interface ToolContext { plan?: 'free' | 'pro' } }
 * ```
 */
export interface ToolContext {
  /** Required, 1 to 256 characters. */
  readonly tenantId: string;
  readonly userId?: string;
  readonly roles?: readonly string[];
  /** A conversation over many runs; without it activations belong to the run. */
  readonly sessionId?: string;
  /** One agent run; without it a run lasts one request. */
  readonly runId?: string;
  readonly admin?: boolean;
}

const MAX_ID = 256;
const MAX_DEPTH = 8;
// Control characters would forge log lines and truncate keys in stores written in C.
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f]/;

/**
 * A frozen copy of the context, checked: ids are 1 to 256 characters without control characters.
 *
 * @throws ToolSearchError `INVALID_CONTEXT` or, for a session or run id, `INVALID_SESSION`
 */
export function toolContext(raw: unknown): ToolContext {
  if (!isObject(raw)) throw new ToolSearchError('INVALID_CONTEXT', 'The context must be an object with a tenantId.');
  if (depthOf(raw, MAX_DEPTH) > MAX_DEPTH || poisonedKey(raw) !== undefined) {
    throw new ToolSearchError('INVALID_CONTEXT', `The context must be plain JSON, at most ${MAX_DEPTH} levels deep.`);
  }
  checkId(raw.tenantId, 'tenantId', 'INVALID_CONTEXT', true);
  checkId(raw.userId, 'userId', 'INVALID_CONTEXT', false);
  checkId(raw.sessionId, 'sessionId', 'INVALID_SESSION', false);
  checkId(raw.runId, 'runId', 'INVALID_SESSION', false);
  return deepFreeze(JSON.parse(JSON.stringify(raw)) as ToolContext);
}

function checkId(value: unknown, field: string, code: 'INVALID_CONTEXT' | 'INVALID_SESSION', required: boolean): void {
  if (value === undefined && !required) return;
  if (typeof value !== 'string' || value.trim() === '' || value.length > MAX_ID || CONTROL.test(value)) {
    throw new ToolSearchError(code, `${field} must be 1 to ${MAX_ID} characters without control characters.`);
  }
}
