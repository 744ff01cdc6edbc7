import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { ApiError } from '../api/client.js';
import { readStatus, refresh } from '../state/live.js';
import { asApiError } from '../state/use-data.js';
import { Failure } from './async.js';

interface DecisionProps {
  readonly title: ComponentChildren;
  /** The words of the button that decides. */
  readonly action: ComponentChildren;
  readonly isDangerous?: boolean;
  /** Writes the decision. */
  readonly decide: (reason: string) => Promise<unknown>;
  readonly onClose: () => void;
  /** Shown in place of the error where the record has changed meanwhile. */
  readonly onConflict?: (error: ApiError) => ComponentChildren;
  readonly children?: ComponentChildren;
  /** Whether the decision may be made now. @default true */
  readonly isReady?: boolean;
}

/** Asks for a reason and writes a decision. It stays open, with what was typed, if the decision is refused. */
export function DecisionDialog(props: DecisionProps) {
  const { title, action, isDangerous = false, decide, onClose, onConflict, children, isReady = true } = props;
  const [reason, setReason] = useState('');
  const [error, setError] = useState<ApiError>();
  const [isBusy, setBusy] = useState(false);
  const id = useId();
  const dialog = useModal();
  const isUnexplained = reason.trim() === '';

  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      await decide(reason.trim());
      refresh();
      void readStatus().catch(() => undefined);
      onClose();
    } catch (failure) {
      setError(asApiError(failure));
    } finally {
      setBusy(false);
    }
  };
  return (
    <dialog ref={dialog} aria-labelledby={`${id}-title`} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <h2 id={`${id}-title`}>{title}</h2>
        {children}
        {error && (error.code === 'REVISION_CONFLICT' && onConflict ? onConflict(error) : <Failure error={error} />)}
        <label>
          Reason, for the audit trail
          <textarea
            name="reason"
            required
            maxLength={1000}
            rows={2}
            value={reason}
            onInput={(event) => setReason(event.currentTarget.value)}
          />
        </label>
        <p class="actions">
          {isUnexplained && (
            <span class="muted" id={`${id}-needed`}>
              A reason is needed.
            </span>
          )}
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button
            type="submit"
            class={isDangerous ? 'danger' : 'primary'}
            disabled={isBusy || !isReady || isUnexplained}
            aria-describedby={isUnexplained ? `${id}-needed` : undefined}
          >
            {isBusy ? 'Writing…' : action}
          </button>
        </p>
      </form>
    </dialog>
  );
}

/** Opens a dialog as modal while it is mounted, and gives the focus back afterwards. */
function useModal() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => void (before instanceof HTMLElement && before.focus());
  }, []);
  return dialog;
}
