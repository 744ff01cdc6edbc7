import { setTimeout } from 'node:timers/promises';
import { type Attack, ATTACKER } from './attack.js';

/** For as long as sources do harm by themselves: the attacker only looks at the server, four times a second. */
export const LOOK_ON: Attack['once'] = async (server) => {
  await setTimeout(250);
  return (await server.request('/toolbox', ATTACKER)).status;
};

/** Lets a source be loaded at each of its changes, which its budget for a minute would prevent. */
export const WITHOUT_BUDGET = { changedCharsPerMinute: Number.MAX_SAFE_INTEGER } as const;
