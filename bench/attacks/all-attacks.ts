import type { Attack } from './attack.js';
import { COSTLY_PATTERNS } from './costly-patterns.js';
import { HOSTILE_BODIES } from './hostile-bodies.js';
import { HOSTILE_SCHEMAS } from './hostile-schemas.js';

/** Every attack of `npm run check:attacks`. */
export const ALL_ATTACKS: readonly Attack[] = [...HOSTILE_BODIES, COSTLY_PATTERNS, ...HOSTILE_SCHEMAS];
