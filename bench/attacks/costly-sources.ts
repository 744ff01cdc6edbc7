import { setTimeout } from 'node:timers/promises';
import { type Attack, ATTACKER } from './attack.js';

/** For attacks in which the sources do the harm: the attacker only reads the status, four times per second. */
export const LOOK_ON: Attack['once'] = async (server) => {
  await setTimeout(250);
  return (await server.request('/toolbox', ATTACKER)).status;
};

/** Lifts the budget per minute, so that a source is loaded at each of its changes. */
export const WITHOUT_BUDGET = { changedCharsPerMinute: Number.MAX_SAFE_INTEGER } as const;
