import { abortable, type Deadline } from '../../async/deadline.js';
import { depthOf } from '../../json/json.js';
import {
  type CallerInput,
  INPUT_METHODS,
  type InputMethod,
  type InputRequests,
} from '../../tool/source/caller-input.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';

const MAX_REQUESTS = 10;
const MAX_CHARS = 65_536;
const MAX_DEPTH = 16;

const WHAT: Readonly<Record<InputMethod, string>> = {
  'elicitation/create': 'an answer of its user',
  'sampling/createMessage': 'an answer of its model',
  'roots/list': 'its folders',
};

/**
 * Asks the caller of a call within limits. The time that the answer takes does not count as time of the call.
 *
 * @throws ToolSearchError `INPUT_REQUIRED` if the caller cannot be asked, `UPSTREAM_INVALID` for questions that nobody
 *   could answer
 */
export async function askCaller(
  { name }: ToolDefinition,
  caller: CallerInput | undefined,
  requests: InputRequests,
  deadline: Deadline,
) {
  const asked = Object.values(requests);
  const isUsable =
    asked.length > 0 &&
    asked.length <= MAX_REQUESTS &&
    asked.every(({ method }) => INPUT_METHODS.includes(method)) &&
    depthOf(requests, MAX_DEPTH) <= MAX_DEPTH &&
    JSON.stringify(requests).length <= MAX_CHARS;
  if (!isUsable) throw new ToolSearchError('UPSTREAM_INVALID', `${name} asked its caller for something unusable.`);
  if (!caller) throw inputRequired(name, [...new Set(asked.map(({ method }) => WHAT[method]))].join(' and '));
  const goOn = deadline.hold();
  try {
    return await abortable(() => caller.ask(requests), deadline.signal);
  } finally {
    goOn();
  }
}

function inputRequired(name: string, what: string): ToolSearchError {
  return new ToolSearchError('INPUT_REQUIRED', `${name} asks its caller for ${what}, which this caller cannot give.`, {
    hint: 'The call has ended. Use another tool, or call it with the option input, or through a client that can be asked.',
  });
}
