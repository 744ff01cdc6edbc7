import { setTimeout } from 'node:timers/promises';
import { type Attack, ATTACKER } from './attack.js';

/** For attacks in which the sources do the harm: the attacker only reads the status, four times per second. */
export const LOOK_ON: Attack['once'] = async (server) => {
  await setTimeout(250);
  return (await server.request('/toolbox', ATTACKER)).status;
};

/** Variables that lift the budget per minute, so that a source is loaded at each of its changes. */
export const WITHOUT_BUDGET = {
  TOOL_SEARCH_TUNING_SOURCES_CHANGED_CHARS_PER_MINUTE: String(Number.MAX_SAFE_INTEGER),
} as const;
