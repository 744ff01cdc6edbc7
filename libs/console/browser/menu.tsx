import { useState } from 'preact/hooks';
import { SCREENS } from './screens.js';
import { linkTo } from './state/route.js';
import { useWaiting } from './state/waiting.js';
import { plainText } from './parts/safe-text.js';

const GROUPS = [...new Set(SCREENS.map(({ group }) => group))];

/** All screens in their groups, and how much waits for a decision. On narrow screens, a button opens them as a list. */
export function Menu({ current }: { readonly current: (typeof SCREENS)[number] }) {
  const [isOpen, setOpen] = useState(false);
  const waiting: Readonly<Record<string, string>> = useWaiting();
  return (
    <nav aria-label="Screens" class={isOpen ? 'open' : undefined}>
      <button
        type="button"
        class="menu-button"
        aria-expanded={isOpen}
        aria-controls="screens"
        onClick={() => setOpen(!isOpen)}
      >
        <span aria-hidden="true">{isOpen ? '✕' : '☰'}</span>
        <span class="unseen">{isOpen ? 'Close the menu, ' : 'Menu, '}</span>
        {current.title}
        {/* The counts of the list, which is closed. */}
        {SCREENS.filter(({ id }) => waiting[id] !== undefined).map(({ id, title }) => (
          <span key={id} class="waiting">
            {title} {plainText(waiting[id] ?? '')}
            <span class="unseen"> waiting</span>
          </span>
        ))}
      </button>
      <div class="groups" id="screens">
        {GROUPS.map((group, index) => (
          <div key={group}>
            <p class="group" id={`group-${index}`}>
              {group}
            </p>
            <ul aria-labelledby={`group-${index}`}>
              {SCREENS.filter((each) => each.group === group).map(({ id, title }) => (
                <li key={id}>
                  <a
                    href={linkTo(id)}
                    aria-current={id === current.id ? 'page' : undefined}
                    onClick={() => setOpen(false)}
                  >
                    {title}
                    {waiting[id] !== undefined && (
                      <span class="waiting">
                        {' '}
                        {plainText(waiting[id])}
                        <span class="unseen"> waiting</span>
                      </span>
                    )}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </nav>
  );
}
