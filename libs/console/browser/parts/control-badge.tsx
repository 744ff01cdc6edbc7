import { status } from '../state/live.js';
import { linkTo } from '../state/route.js';
import { changeName, counted } from './words.js';

const WORDS = {
  ready: 'Decisions are up to date',
  stale: 'Decisions are old',
  closed: 'Gate closed: every tool is refused',
} as const;

/** Whether this instance decides, by which change of operators, and how many kill switches are on. */
export function ControlBadge() {
  const now = status.value;
  if (!now) return null;
  const { killSwitches } = now.counts;
  return (
    <>
      <span class={`badge badge-${now.state}`} role="status">
        {WORDS[now.state]} · {changeName(now.revision)}
        {!now.writable && ' · store not writable'}
      </span>
      {killSwitches > 0 && (
        <a class="badge badge-stale" href={linkTo('kill-switches')}>
          {counted(killSwitches, 'kill switch is', 'kill switches are')} on
        </a>
      )}
    </>
  );
}
