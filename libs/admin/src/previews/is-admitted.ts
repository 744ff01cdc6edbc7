import type { CallRecord } from '@tool-search/core/stores';

/** Whether a call was admitted. With an approval, a call runs although a layer asks for one, and may fail later. */
export function isAdmitted({ decision, outcome }: CallRecord): boolean {
  const isWaiting = outcome.startsWith('APPROVAL_') || outcome === 'SESSION_REQUIRED';
  return decision === 'allow' || (decision === 'approve' && !isWaiting);
}
