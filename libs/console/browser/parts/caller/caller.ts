import { effect, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { tenant } from '../../state/operator.js';
import { route, setParameters } from '../../state/route.js';
import { readObject } from '../read-object.js';

/** A context: any JSON object with a tenantId. */
export interface Caller extends Readonly<Record<string, unknown>> {
  readonly tenantId: string;
}

/** The caller who is asking, and the second one of a comparison. */
export type WhichCaller = keyof typeof PARAMETERS;

/** Their parameters in the address of a screen. */
const PARAMETERS = { left: 'caller', right: 'other' } as const;

/** The callers as JSON, kept while the page is open so that screens share them. */
const kept = {
  left: signal('{ "tenantId": "acme", "userId": "ada" }'),
  right: signal('{ "tenantId": "globex", "userId": "homer" }'),
};

// An operator of one tenant may ask as its callers only.
effect(() => {
  const tenantId = tenant.value;
  if (tenantId === undefined) return;
  for (const caller of Object.values(kept)) {
    if (readCaller(caller.peek())?.tenantId !== tenantId) caller.value = JSON.stringify({ tenantId });
  }
});

/**
 * The JSON of a caller: that of the address, into which this screen writes it, or the one that another screen has left.
 *
 * @param isAsked whether the screen asks as this caller now
 */
export function useCaller(which: WhichCaller, isAsked = true): string {
  const parameter = PARAMETERS[which];
  const given = route.value.query.get(parameter);
  const value = given ?? kept[which].value;
  useEffect(() => {
    if (!isAsked) return;
    kept[which].value = value;
    if (given === null) setParameters({ [parameter]: value });
  }, [which, value, given, isAsked]);
  return value;
}

/** The JSON of the caller as it is now, for functions that wait. */
export function callerNow(which: WhichCaller): string {
  return route.peek().query.get(PARAMETERS[which]) ?? kept[which].peek();
}

/** Asks as this caller. @param json what was typed, which may not be a caller yet */
export function setCaller(which: WhichCaller, json: string): void {
  kept[which].value = json;
  // A call of another caller is not what is asked about any more.
  setParameters({ [PARAMETERS[which]]: json, at: '' });
}

/** Reads a typed caller; undefined where it is no JSON object with a tenantId. */
export function readCaller(json: string): Caller | undefined {
  const caller = readObject(json);
  return caller && typeof caller['tenantId'] === 'string' && caller['tenantId'] !== '' ? (caller as Caller) : undefined;
}
