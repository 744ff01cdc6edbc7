import { safeText } from '../../json/safe-text.js';
import type { Decision } from '../../tool/decision.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import { type DecisionServices, type RedecidedUse, reportRedecided } from './decide.js';

/**
 * Refuses a use of a tool because of its arguments.
 *
 * @param words for the caller, where the refusal has no message for it
 * @throws ToolSearchError `ARGUMENTS_NOT_ALLOWED`
 */
export function refuseArguments(
  use: RedecidedUse,
  refusal: Decision,
  words: string,
  services: Pick<DecisionServices, 'events'>,
): never {
  reportRedecided(use, refusal, services);
  const { message } = refusal;
  throw new ToolSearchError('ARGUMENTS_NOT_ALLOWED', message === undefined ? words : safeText(message, 500), {
    hint: 'Nothing has happened. Change the arguments if the task allows it, or tell the user.',
  });
}
