import { useEffect, useRef, useState } from 'preact/hooks';
import { lost, readStatus, refresh } from './state/live.js';
import { session, sessionNote, token } from './state/session.js';
import { asApiError } from './state/use-data.js';

/** Asks for the operator's token. When a session expires, it is shown over the screen, which stays as it is. */
export function SignIn({ isExpired = false }: { readonly isExpired?: boolean }) {
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState('');
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isExpired) dialog.current?.showModal();
  }, [isExpired]);

  const submit = async (event: Event) => {
    event.preventDefault();
    const was = session.value;
    token.value = typed.trim();
    setProblem('');
    try {
      await readStatus();
      session.value = 'in';
      refresh();
    } catch (failure) {
      const error = asApiError(failure);
      lost.value = undefined;
      token.value = '';
      session.value = was;
      setProblem(error.hint === undefined ? error.message : `${error.message} ${error.hint}`);
    }
  };
  const form = (
    <form class="sign-in" onSubmit={(event) => void submit(event)}>
      <h1 id="sign-in-title">{isExpired ? 'Sign in again' : 'Tool console'}</h1>
      {isExpired ? (
        <p>{sessionNote.value} Your screen and what you typed stay as they are.</p>
      ) : (
        <p>See the tools of your agents, ask why, and decide.</p>
      )}
      <label>
        Operator token
        <input
          name="token"
          type="password"
          autocomplete="off"
          required
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </label>
      <p class="muted">It is kept in the memory of this page and is gone after a reload.</p>
      {problem !== '' && (
        <p class="note note-bad" role="alert">
          {problem}
        </p>
      )}
      <p class="actions">
        <button type="submit" class="primary">
          Sign in
        </button>
      </p>
    </form>
  );
  if (!isExpired) return <main class="alone">{form}</main>;
  return (
    // Without a session there is nothing to go back to.
    <dialog ref={dialog} aria-labelledby="sign-in-title" onCancel={(event) => event.preventDefault()}>
      {form}
    </dialog>
  );
}
