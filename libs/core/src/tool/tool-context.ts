import { deepFreeze, depthOf, isObject, POISONED_KEYS, poisonedKey } from '../json/json.js';
import { hasControlCharacters } from '../json/safe-text.js';
import { ToolSearchError } from './tool-search.error.js';

/**
 * The identity of a caller. Applications add their own JSON fields by declaration merging:
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
  /** A conversation of several runs. Without it activations belong to the run. */
  readonly sessionId?: string;
  /** One agent run. Without it a run lasts one request. */
  readonly runId?: string;
  /** The agent that uses the tools on behalf of the user; policies may restrict it. Never take it from the model. */
  readonly agentId?: string;
  /** `true`: an operator, who may see and decide everything: kill switches, stored policies, approvals. */
  readonly admin?: boolean | OperatorScope;
}

/** An operator with less than everything. */
export interface OperatorScope {
  /** At most 1,000 tenants; the operator learns nothing of others. An empty list admits to nothing. */
  readonly tenants: readonly string[] | 'all';
  /** Sees, and changes nothing. @default false */
  readonly readOnly?: boolean;
}

const MAX_ID = 256;
const MAX_TENANTS = 1000;
const MAX_DEPTH = 8;

/**
 * Checks a context and returns a frozen copy. Ids have 1 to 256 characters without control characters.
 *
 * @throws ToolSearchError `INVALID_CONTEXT`; `INVALID_SESSION` for a session or run id
 */
export function toolContext(raw: unknown): ToolContext {
  const context = flatCopy(raw) ?? deepFreeze(plainCopy(raw));
  if (!isObject(context)) throw invalid('The context must be an object with a tenantId.');
  checkId(context['tenantId'], 'tenantId', 'INVALID_CONTEXT', true);
  checkId(context['userId'], 'userId', 'INVALID_CONTEXT', false);
  checkId(context['agentId'], 'agentId', 'INVALID_CONTEXT', false);
  checkId(context['sessionId'], 'sessionId', 'INVALID_SESSION', false);
  checkId(context['runId'], 'runId', 'INVALID_SESSION', false);
  const { roles, admin } = context;
  // A policy asks `roles.includes('admin')`, which is true for the string 'no-admin' too.
  if (roles !== undefined && !(Array.isArray(roles) && roles.every((role) => typeof role === 'string'))) {
    throw invalid('roles must be a list of strings.');
  }
  if (admin !== undefined && typeof admin !== 'boolean') checkScope(admin);
  return context as unknown as ToolContext;
}

// Fast path: a context of strings and flags, as nearly all are, needs no JSON round trip. This runs once per request.
function flatCopy(raw: unknown): Readonly<Record<string, unknown>> | undefined {
  if (!isObject(raw) || Object.getPrototypeOf(raw) !== Object.prototype) return undefined;
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(raw)) {
    if (value === undefined) continue;
    if (POISONED_KEYS.has(key)) return undefined;
    if (typeof value === 'string' || typeof value === 'boolean') copy[key] = value;
    else if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
      copy[key] = Object.freeze([...value]);
    else return undefined;
  }
  return Object.freeze(copy);
}

// The copy is checked, not the original: `toJSON` may return something else than the object's own fields.
function plainCopy(raw: unknown): unknown {
  if (!isObject(raw) || depthOf(raw, MAX_DEPTH) > MAX_DEPTH) {
    throw invalid(`The context must be a plain JSON object, at most ${MAX_DEPTH} levels deep.`);
  }
  let copy: unknown;
  try {
    copy = JSON.parse(JSON.stringify(raw) ?? 'null');
  } catch (error) {
    throw invalid('The context is not plain JSON.', error);
  }
  if (poisonedKey(copy) !== undefined) throw invalid('The context has a key that could reach a prototype.');
  return copy;
}

// A misspelled field must not make an operator of everything out of one that only reads.
function checkScope(scope: unknown): void {
  const { tenants, readOnly = false, ...others } = isObject(scope) ? scope : {};
  const isList = Array.isArray(tenants) && tenants.length <= MAX_TENANTS;
  if (Object.keys(others).length > 0 || typeof readOnly !== 'boolean' || !(isList || tenants === 'all')) {
    throw invalid(
      `admin must be true, false, or { tenants, readOnly? } with a list of at most ${MAX_TENANTS} tenants, or "all".`,
    );
  }
  for (const tenant of isList ? tenants : []) checkId(tenant, 'A tenant of admin', 'INVALID_CONTEXT', true);
}

function invalid(message: string, cause?: unknown): ToolSearchError {
  return new ToolSearchError('INVALID_CONTEXT', message, {
    hint: 'Correct what the `context` option returns, or what is passed to open().',
    cause,
  });
}

function checkId(value: unknown, field: string, code: 'INVALID_CONTEXT' | 'INVALID_SESSION', required: boolean): void {
  if (value === undefined && !required) return;
  if (value !== undefined && typeof value !== 'string') {
    throw new ToolSearchError(code, `${field} must be a string${required ? '' : ', or left out'}.`, {
      hint: 'Convert it, for example with String(id).',
    });
  }
  if (value !== undefined && value.trim() !== '' && value.length <= MAX_ID && !hasControlCharacters(value)) return;
  throw new ToolSearchError(code, `${field} must be 1 to ${MAX_ID} characters without control characters.`, {
    hint: required ? 'Say which tenant is asking.' : `Send a ${field} of that form, or none.`,
  });
}

/** The members of a context that events carry. */
export function eventIds(context: ToolContext): {
  readonly tenantId: string;
  readonly runId?: string;
  readonly sessionId?: string;
} {
  const { tenantId, runId, sessionId } = context;
  return { tenantId, ...(runId !== undefined && { runId }), ...(sessionId !== undefined && { sessionId }) };
}
