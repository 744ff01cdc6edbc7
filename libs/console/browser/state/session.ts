import { signal } from '@preact/signals';
import { operator } from './operator.js';

/**
 * `unknown`: not asked yet; `out`: the form is shown; `in`: the routes for operators answer; `expired`: they answered
 * before, and the screen stays behind the form.
 */
export type SessionState = 'unknown' | 'out' | 'in' | 'expired';

/** The operator's bearer token. In memory only: a reload asks again. Empty where a cookie of the application signs in. */
export const token = signal('');
export const session = signal<SessionState>('unknown');
/** Whether a cookie of the application signs the operator in, so that no token is asked for. */
export const isByCookie = signal(false);
/** Why the form is shown. */
export const sessionNote = signal('');

/** Ends the session because the server did not accept this token. An answer to an earlier token changes nothing. */
export function endSession(used: string, why: string): void {
  if (used !== token.value) return;
  const was = session.value;
  token.value = '';
  sessionNote.value = was === 'unknown' ? '' : why;
  session.value = was === 'in' || was === 'expired' ? 'expired' : 'out';
  // Behind the form, the screen stays that of the operator's tenant, with what was typed.
  if (session.value === 'out') operator.value = undefined;
}

/** Forgets the token. */
export function signOut(): void {
  token.value = '';
  operator.value = undefined;
  sessionNote.value = '';
  session.value = 'out';
}
