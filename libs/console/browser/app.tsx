import { useEffect } from 'preact/hooks';
import { ControlBadge } from './parts/control-badge.js';
import { SCREENS } from './screens.js';
import { SignIn } from './sign-in.js';
import { lost, readStatus, watchStatus } from './state/live.js';
import { linkTo, route } from './state/route.js';
import { endSession, session, signOut, token } from './state/session.js';

export function App() {
  useEffect(() => void begin(), []);
  const { value: state } = session;
  if (state === 'unknown') {
    return (
      <main>
        <p role="status">Loading…</p>
      </main>
    );
  }
  if (state === 'out') return <SignIn />;
  const current = SCREENS.find(({ id }) => id === route.value.screen) ?? SCREENS[0];
  return (
    <>
      <a class="skip" href="#main" onClick={toMain}>
        Skip to the screen
      </a>
      <header>
        <strong class="brand">Tool console</strong>
        <ControlBadge />
        {token.value !== '' && (
          <button type="button" class="quiet" onClick={signOut}>
            Sign out
          </button>
        )}
      </header>
      {lost.value && (
        <p class="banner" role="status">
          {lost.value.message} What you see is the last known state.
        </p>
      )}
      <div class="columns">
        <nav aria-label="Screens">
          <ul>
            {SCREENS.map(({ id, title }) => (
              <li key={id}>
                <a href={linkTo(id)} aria-current={id === current?.id ? 'page' : undefined}>
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <main id="main" tabIndex={-1}>
          {current && <current.Screen key={current.id} />}
        </main>
      </div>
      {state === 'expired' && <SignIn isExpired />}
    </>
  );
}

/** Asks without a token first: the application's own cookie may sign the operator in. */
async function begin(): Promise<void> {
  try {
    await readStatus();
    session.value = 'in';
  } catch {
    lost.value = undefined;
    if (session.value === 'unknown') endSession('', '');
  }
  void watchStatus();
}

// The hash is the route, so the link moves the focus itself.
function toMain(event: Event): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}
