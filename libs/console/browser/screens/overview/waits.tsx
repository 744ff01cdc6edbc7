import type { StatusAnswer } from '../../api/routes.js';
import { counted } from '../../parts/words.js';
import { plainText } from '../../parts/safe-text.js';
import { linkTo } from '../../state/route.js';
import { useWaiting } from '../../state/waiting.js';

/** What waits for a person, each with the way to it. */
export function Waits({ now: { counts } }: { readonly now: StatusAnswer }) {
  const { approvals, quarantine } = useWaiting();
  const waits = [
    approvals !== undefined && {
      to: linkTo('approvals'),
      words: plainText(approvals === '1' ? '1 approval is asked for' : `${approvals} approvals are asked for`),
    },
    quarantine !== undefined && {
      to: linkTo('quarantine'),
      words: plainText(quarantine === '1' ? '1 definition waits' : `${quarantine} definitions wait`),
    },
    counts.killSwitches > 0 && {
      to: linkTo('kill-switches'),
      words: counted(counts.killSwitches, 'kill switch keeps tools off', 'kill switches keep tools off'),
    },
    counts.sourcesNotReady > 0 && {
      to: linkTo('sources'),
      words: counted(counts.sourcesNotReady, 'source is not ready', 'sources are not ready'),
    },
  ].filter((each) => each !== false);
  return (
    <section aria-label="Waits for a person">
      {waits.length === 0 ? (
        <p class="note note-good">Nothing waits for a person.</p>
      ) : (
        <ul class="waits">
          {waits.map(({ to, words }) => (
            <li key={to}>
              <a href={to}>{words}</a>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
