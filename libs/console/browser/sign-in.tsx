import { useEffect, useRef, useState } from 'preact/hooks';
import { api, setting } from './api/client.js';
import { Text } from './parts/text.js';
import { lost, readStatus, refresh } from './state/live.js';
import { operator } from './state/operator.js';
import { isByCookie, session, sessionNote, token } from './state/session.js';
import { asApiError } from './state/use-data.js';

/**
 * Asks for the operator's token, or to sign in to the application where its cookie does. When a session expires, it is
 * shown over the screen, which stays as it is.
 */
export function SignIn({ isExpired = false }: { readonly isExpired?: boolean }) {
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState('');
  const dialog = useRef<HTMLDialogElement>(null);
  const byCookie = isByCookie.value;
  useEffect(() => {
    if (isExpired) dialog.current?.showModal();
  }, [isExpired]);

  const submit = async (event: Event) => {
    event.preventDefault();
    const before = { session: session.value, operator: operator.value };
    token.value = byCookie ? '' : typed.trim();
    setProblem('');
    try {
      operator.value = await api('GET me');
      await readStatus();
      session.value = 'in';
      refresh();
    } catch (failure) {
      const error = asApiError(failure);
      lost.value = undefined;
      token.value = '';
      session.value = before.session;
      operator.value = before.operator;
      // Nobody has asked for anything yet.
      const hint = (error.hint ?? '').replace(/^Nothing was done\. ?/, '');
      setProblem(hint === '' ? error.message : `${error.message} ${hint}`);
    }
  };
  const form = (
    <form class="sign-in" onSubmit={(event) => void submit(event)}>
      <h1 id="sign-in-title">{isExpired ? 'Sign in again' : 'Tool console'}</h1>
      {isExpired ? (
        <p>
          <Text value={sessionNote.value} /> Your screen and what you typed stay as they are.
        </p>
      ) : (
        <p>See the tools of your agents, ask why, and decide.</p>
      )}
      {byCookie ? <SignInElsewhere isExpired={isExpired} /> : <TokenField value={typed} onInput={setTyped} />}
      {problem !== '' && (
        <p class="note note-bad" role="alert">
          <Text value={problem} />
        </p>
      )}
      <p class="actions">
        <button type="submit" class="primary">
          {byCookie ? 'I have signed in' : 'Sign in'}
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

/** The application's own page signs in; in another tab, so that this screen stays as it is. */
function SignInElsewhere({ isExpired }: { readonly isExpired: boolean }) {
  const where = setting('signIn');
  if (where === '') return <p>Sign in to your application in another tab, then go on here.</p>;
  return (
    <p>
      {isExpired ? (
        <a href={where} target="_blank" rel="noopener">
          Sign in (in another tab)
        </a>
      ) : (
        <a href={where}>Sign in</a>
      )}
      , then go on here.
    </p>
  );
}

interface TokenFieldProps {
  readonly value: string;
  readonly onInput: (typed: string) => void;
}

function TokenField({ value, onInput }: TokenFieldProps) {
  return (
    <>
      <label>
        Operator token
        <input
          name="token"
          type="password"
          autocomplete="off"
          required
          value={value}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      </label>
      <p class="muted">It is kept in the memory of this page and is gone after a reload.</p>
    </>
  );
}
