import { status } from '../state/live.js';

const WORDS = { ready: 'Gate open', stale: 'Decisions are old', closed: 'Gate closed: every tool is refused' } as const;

/** Whether this instance decides, and by which change of operators. */
export function ControlBadge() {
  const now = status.value;
  if (!now) return null;
  return (
    <span class={`badge badge-${now.state}`} role="status">
      {WORDS[now.state]} · change {now.revision}
      {!now.writable && ' · store not writable'}
    </span>
  );
}
