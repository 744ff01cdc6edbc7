import type { CallRecord } from '../../api/usage-types.js';

/** Whether a call was admitted. With an approval, a call runs although a check asks for one. */
export function isAdmitted({ decision, outcome }: Pick<CallRecord, 'decision' | 'outcome'>): boolean {
  return decision === 'allow' || outcome === 'ok';
}
