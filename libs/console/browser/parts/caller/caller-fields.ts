import { isSeen } from './caller-json.js';

/** The fields of a caller that are ids, with their labels. */
export const IDS = [
  ['tenantId', 'Tenant'],
  ['userId', 'User'],
  ['agentId', 'Agent'],
  ['sessionId', 'Session'],
] as const;

/** A caller as it is typed, which may lack a tenant. */
export type TypedCaller = Readonly<Record<string, unknown>>;

/** A field of callers, and the values that the application offers for it. */
export interface OfferedField {
  readonly name: string;
  readonly values: readonly string[];
  /** Whether a caller has several of the values at once. */
  readonly several: boolean;
}

/** How a field of a caller is typed: as one text, or as several. Others are typed as JSON. */
export interface CallerField extends OfferedField {
  readonly value: string | readonly string[];
}

const ROLES = 'roles';
const NO_FIELDS = new Set<string>([...IDS.map(([name]) => name), 'runId', 'admin']);

/** The fields that the application offers, as its routes name them: a caller has several roles, and one of everything else. */
export const offeredFields = (fields: Readonly<Record<string, readonly string[]>>): readonly OfferedField[] =>
  Object.entries(fields).map(([name, values]) => ({ name, values, several: name === ROLES }));

const isText = (value: unknown): value is string => typeof value === 'string' && isSeen(value);
const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isText);

/** The fields of a caller beside its ids: those that the application offers, its roles, and others that it has. */
export function fieldsOf(caller: TypedCaller, offered: readonly OfferedField[]): readonly CallerField[] {
  const known = offered.some(({ name }) => name === ROLES) ? offered : [...offered, ...offeredFields({ [ROLES]: [] })];
  const more = Object.entries(caller)
    .filter(([name]) => !NO_FIELDS.has(name) && known.every((each) => each.name !== name))
    .map(([name, value]): OfferedField => ({ name, values: [], several: Array.isArray(value) }));
  return [...known, ...more].map((field) => {
    const value = caller[field.name];
    if (field.several) return { ...field, value: isTexts(value) ? value : [] };
    return { ...field, value: isText(value) ? value : '' };
  });
}

/** Whether a form can show all of a caller. */
export function fitsForm(caller: TypedCaller, offered: readonly OfferedField[]): boolean {
  return Object.entries(caller).every(([name, value]) => {
    const several = offered.find((field) => field.name === name)?.several ?? Array.isArray(value);
    return isSeen(name) && name !== 'admin' && (several ? isTexts(value) : isText(value));
  });
}

/** The caller with another value of a field; without the field for an empty value. */
export function withField(caller: TypedCaller, name: string, value: string | readonly string[]): TypedCaller {
  if (value.length > 0) return { ...caller, [name]: value };
  return Object.fromEntries(Object.entries(caller).filter(([field]) => field !== name));
}

/** The texts of a list that is typed with commas. */
export function listOf(typed: string): readonly string[] {
  return typed
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}
