import { useState } from 'preact/hooks';
import { api } from '../../api/client.js';
import type { ListedApproval } from '../../api/routes.js';
import { DecisionDialog } from '../../parts/dialog.js';
import { Text } from '../../parts/text.js';
import { callerName } from '../../parts/words.js';
import { DecidedMeanwhile } from './decided-meanwhile.js';
import { ArgumentsMissing, lacksArguments, WaitingArguments } from './waiting-arguments.js';

/** A decision about an approval as it was seen: one that somebody else has decided meanwhile is a conflict. */
export interface DecidingApproval {
  readonly approval: ListedApproval;
  readonly verb: 'approve' | 'refuse';
}

interface ApprovalDialogProps {
  readonly of: DecidingApproval;
  readonly onClose: () => void;
}

const CALL = { title: 'Let this call run?', action: 'Approve' } as const;
const APPROVAL = { title: 'Let them call this tool?', action: 'Approve' } as const;
const REFUSAL = { title: 'Refuse them this tool?', action: 'Refuse' } as const;
const WITHDRAWAL = { title: 'Withdraw this approval?', action: 'Withdraw' } as const;

/** Asks for the reason of an approval, of a refusal, or of another decision in place of an earlier one. */
export function ApprovalDialog({ of: { approval, verb }, onClose }: ApprovalDialogProps) {
  const [forMs, setForMs] = useState('3600000');
  const [note, setNote] = useState('');
  const { id, status, covers, actor, reason: earlier, revision } = approval;
  const isApproval = verb === 'approve';
  const isOfCall = covers === 'call';
  const noteField = isApproval && note.trim() !== '' && { note: note.trim() };
  const { title, action } = isApproval ? (isOfCall ? CALL : APPROVAL) : status === 'approved' ? WITHDRAWAL : REFUSAL;
  return (
    <DecisionDialog
      title={title}
      action={action}
      isDangerous={!isApproval}
      onClose={onClose}
      decide={(reason) =>
        api(`POST approvals/{id}/${verb}`, {
          path: { id },
          body: { reason, expectedRevision: revision, ...(isApproval && { forMs: Number(forMs) }), ...noteField },
        })
      }
      onConflict={(error) => <DecidedMeanwhile error={error} />}
    >
      <p>
        <Text value={approval.tool} max={120} /> for <Text value={callerName(approval)} max={120} /> in the{' '}
        {approval.scope} <Text value={approval.scopeId} max={60} />
      </p>
      {(isOfCall || status === 'pending') && (
        <div>
          With <WaitingArguments of={approval} />
        </div>
      )}
      {lacksArguments(approval) && <ArgumentsMissing />}
      {status !== 'pending' && (
        <p>
          In place of the decision of <Text value={actor} max={80} />, who has {status} it:{' '}
          <Text value={earlier} max={200} />
        </p>
      )}
      {isApproval && (
        <p>
          {isOfCall
            ? 'It covers one call with exactly these arguments. Long values are shown by their beginning.'
            : 'It covers every call of this tool there until it ends, with any arguments.'}
        </p>
      )}
      {isApproval && isOfCall && (
        <label>
          Note for the model, with the result
          <input name="note" maxLength={500} value={note} onInput={(event) => setNote(event.currentTarget.value)} />
        </label>
      )}
      {isApproval && (
        <label>
          For
          <select name="for" value={forMs} onChange={(event) => setForMs(event.currentTarget.value)}>
            <option value="900000">15 minutes</option>
            <option value="3600000">an hour</option>
            <option value="86400000">a day</option>
          </select>
        </label>
      )}
    </DecisionDialog>
  );
}
