import { SCREENS } from './screens.js';
import { linkTo } from './state/route.js';
import { useWaiting } from './state/waiting.js';
import { plainText } from './parts/safe-text.js';

const GROUPS = [...new Set(SCREENS.map(({ group }) => group))];

/** All screens in their groups, and how much waits for a decision. */
export function Menu({ current }: { readonly current: string | undefined }) {
  const waiting: Readonly<Record<string, string>> = useWaiting();
  return (
    <nav aria-label="Screens">
      <div class="groups">
        {GROUPS.map((group, index) => (
          <div key={group}>
            <p class="group" id={`group-${index}`}>
              {group}
            </p>
            <ul aria-labelledby={`group-${index}`}>
              {SCREENS.filter((each) => each.group === group).map(({ id, title }) => (
                <li key={id}>
                  <a href={linkTo(id)} aria-current={id === current ? 'page' : undefined}>
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
