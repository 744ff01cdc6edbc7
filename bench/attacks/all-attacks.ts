import type { Attack } from './attack.js';
import { CHANGING_SERVERS } from './changing-servers.js';
import { COSTLY_PATTERNS } from './costly-patterns.js';
import { LOOK_ON } from './costly-sources.js';
import { CROWDED_SESSIONS } from './crowded-sessions.js';
import { HOSTILE_ANSWERS } from './answers/hostile-answers.js';
import { HOSTILE_BODIES } from './hostile-bodies.js';
import { HOSTILE_COMPLETIONS } from './hostile-completions.js';
import { HOSTILE_DOCUMENTS } from './hostile-documents.js';
import { HOSTILE_SCHEMAS } from './hostile-schemas.js';

/**
 * Every attack of `npm run check:attacks`. The first entry does nothing: it measures the delays of the machine itself.
 */
export const ALL_ATTACKS: readonly Attack[] = [
  { name: 'no attack', promised: [200], once: LOOK_ON },
  ...HOSTILE_BODIES,
  COSTLY_PATTERNS,
  CROWDED_SESSIONS,
  HOSTILE_COMPLETIONS,
  ...HOSTILE_SCHEMAS,
  ...HOSTILE_DOCUMENTS,
  ...CHANGING_SERVERS,
  ...HOSTILE_ANSWERS,
];
