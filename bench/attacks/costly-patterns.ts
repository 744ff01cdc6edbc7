import { HOSTILE_PATTERNS } from '../datasets/hostile-queries.js';
import { type Attack, ATTACKER } from './attack.js';

let next = 0;

/** Ten parallel searches with slow patterns. */
export const COSTLY_PATTERNS: Attack = {
  name: 'ten parallel searches by costly patterns',
  connections: 10,
  forMs: 8_000,
  // Found, or refused as too costly.
  promised: [200, 400],
  once: async (server) => {
    const { text = '' } = HOSTILE_PATTERNS[next++ % HOSTILE_PATTERNS.length] ?? {};
    return (await server.request('/toolbox/search', ATTACKER, { query: text, type: 'regex' })).status;
  },
};
