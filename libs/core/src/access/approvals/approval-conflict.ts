import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { Approval } from './approval.js';

/** The error for an operator whose decision is about another state of the approval than the current one. */
export function approvalConflict({ status, actor, revision }: Approval): ToolSearchError {
  if (revision === 0) {
    return new ToolSearchError('REVISION_CONFLICT', 'That decision has ended: the approval was asked for anew.', {
      hint: 'Nothing was changed. Look at it again, and leave expectedRevision out to decide about it.',
    });
  }
  return new ToolSearchError('REVISION_CONFLICT', `${actor} has ${status} this already, at revision ${revision}.`, {
    hint: 'Nothing was changed. Look at that decision, and send its revision as expectedRevision to change it.',
  });
}
