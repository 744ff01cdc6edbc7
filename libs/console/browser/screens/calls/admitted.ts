import type { CallAnswer } from '../../api/routes.js';

/** Whether a call was admitted. With an approval, a call runs although a check asks for one, and may fail later. */
export function isAdmitted({ decision, outcome }: Pick<CallAnswer, 'decision' | 'outcome'>): boolean {
  const isWaiting = outcome.startsWith('APPROVAL_') || outcome === 'SESSION_REQUIRED';
  return decision === 'allow' || (decision === 'approve' && !isWaiting);
}
