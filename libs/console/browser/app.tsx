import { useEffect } from 'preact/hooks';
import { setting } from './api/client.js';
import { ControlBadge } from './parts/control-badge.js';
import { Menu } from './menu.js';
import { SCREENS } from './screens.js';
import { SignIn } from './sign-in.js';
import { lost, readStatus, watchStatus } from './state/live.js';
import { chosenTenant, isReadOnly, operator, tenant } from './state/operator.js';
import { clearParameters, route } from './state/route.js';
import { endSession, isByCookie, session, signOut, token } from './state/session.js';
import { plainText } from './parts/safe-text.js';
import { Text } from './parts/text.js';

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
        <TenantChoice />
        {operator.value && (
          <span class="muted operator">
            <Text value={operator.value.actor} max={60} />
          </span>
        )}
        {isReadOnly.value && <span class="badge">Read only</span>}
        {token.value !== '' && (
          <button type="button" class="quiet" onClick={signOut}>
            Sign out
          </button>
        )}
      </header>
      {lost.value && (
        <p class="banner" role="status">
          <Text value={lost.value.message} /> What you see is the last known state.
        </p>
      )}
      <div class="columns">
        <Menu current={current} />
        <main id="main" tabIndex={-1}>
          <current.Screen key={JSON.stringify([current.id, tenant.value])} />
        </main>
      </div>
      {state === 'expired' && <SignIn isExpired />}
    </>
  );
}

/** Whose data is shown, for an operator of some tenants. */
function TenantChoice() {
  const tenants = operator.value?.tenants ?? 'all';
  if (tenants === 'all') return null;
  const choose = (id: string) => {
    chosenTenant.value = id;
    // Filters, callers and what is opened may be those of another tenant.
    clearParameters();
    void readStatus().catch(() => undefined);
  };
  return (
    <label class="tenant">
      Tenant{' '}
      <select name="tenant-choice" value={tenant.value} onChange={(event) => choose(event.currentTarget.value)}>
        {tenants.map((id) => (
          <option key={id} value={id}>
            {plainText(id, 40)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Asks without a token first: the application's own cookie may sign the operator in. */
async function begin(): Promise<void> {
  isByCookie.value = setting('signIn') !== '';
  try {
    await readStatus();
    session.value = 'in';
    isByCookie.value = true;
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
