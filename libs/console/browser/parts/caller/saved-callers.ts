import { readObject } from '../read-object.js';
import type { OfferedField, TypedCaller } from './caller-fields.js';

/** A kind of caller that an operator has saved in this browser: a tenant with roles and what else the application offers. */
export interface SavedCaller {
  readonly name: string;
  readonly caller: TypedCaller;
}

/** The part of `localStorage` that is used. */
type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem'>;

/** What this browser keeps; nothing where it does not allow that. */
export function browserStorage(): Storage {
  try {
    return localStorage;
  } catch {
    return { getItem: () => null, setItem: () => undefined };
  }
}

const MOST = 20;
const MAX_NAME = 60;
/** Fields of ids, which an application cannot offer as what callers may do. */
const PERSONAL = new Set(['userId', 'agentId', 'sessionId', 'runId', 'admin']);

/** Whether a field says what callers may do. Any other field may identify a person, by an address or a name. */
function isSavedField(field: string, offered: readonly OfferedField[]): boolean {
  if (PERSONAL.has(field)) return false;
  return field === 'tenantId' || field === 'roles' || offered.some(({ name }) => name === field);
}

// Another operator in the same browser may not see the tenants of this one.
const keyOf = (actor: string): string => `tool-search-console callers of ${actor}`;

/** The callers that this operator has saved. @returns an empty list where the browser keeps nothing */
export function savedCallers(storage: Storage, actor: string): readonly SavedCaller[] {
  try {
    const saved: unknown = JSON.parse(storage.getItem(keyOf(actor)) ?? '[]');
    return Array.isArray(saved) ? saved.filter(isSaved).slice(0, MOST) : [];
  } catch {
    return [];
  }
}

/**
 * Saves the tenant, the roles and the fields of a caller that the application offers under a name, in place of an earlier one
 * of this name; the newest 20 are kept.
 *
 * @returns all saved callers; the earlier ones where the browser keeps nothing
 */
export function saveCaller(
  storage: Storage,
  actor: string,
  { name, caller }: SavedCaller,
  offered: readonly OfferedField[],
): readonly SavedCaller[] {
  const impersonal = Object.fromEntries(Object.entries(caller).filter(([field]) => isSavedField(field, offered)));
  const saved = { name: name.slice(0, MAX_NAME), caller: impersonal };
  const others = savedCallers(storage, actor).filter((each) => each.name !== saved.name);
  return kept(storage, actor, [saved, ...others].slice(0, MOST));
}

/** Forgets a saved caller. @returns those that are left */
export function forgetCaller(storage: Storage, actor: string, name: string): readonly SavedCaller[] {
  return kept(
    storage,
    actor,
    savedCallers(storage, actor).filter((each) => each.name !== name),
  );
}

/** The typed caller with the fields of a saved one; the person stays if the tenant does. */
export function asSaved(typed: TypedCaller, { caller }: SavedCaller, offered: readonly OfferedField[]): TypedCaller {
  if (typed['tenantId'] !== caller['tenantId']) return caller;
  const person = Object.entries(typed).filter(([field]) => !isSavedField(field, offered));
  return { ...caller, ...Object.fromEntries(person) };
}

function kept(storage: Storage, actor: string, callers: readonly SavedCaller[]): readonly SavedCaller[] {
  try {
    storage.setItem(keyOf(actor), JSON.stringify(callers));
  } catch {
    // A browser may keep nothing, or no more.
  }
  return savedCallers(storage, actor);
}

function isSaved(value: unknown): value is SavedCaller {
  const saved = readObject(JSON.stringify(value) ?? '');
  const caller = saved?.['caller'];
  return typeof saved?.['name'] === 'string' && typeof caller === 'object' && caller !== null && !Array.isArray(caller);
}
