import { TimeSlicer } from '../../async/time-slicer.js';
import type { DefinitionTokens } from '../../tool/token-count.js';
import { hintOf, isToolSearchError, ToolSearchError } from '../../tool/tool-search.error.js';
import { unavailableError } from '../call/call-errors.js';
import { type DecisionServices, mayRead } from '../call/decide.js';
import type { ReadOptions } from '../search/described-tool.js';
import { type FoundServices, getTools } from '../search/found-tools.js';
import type { ToolboxRequest } from '../toolbox-request.js';
import { boundedDefinitions, type BoundedReply } from './definitions/bounded-definitions.js';
import type { HeldResults } from './held/held-results.js';
import { markedText } from './marking/result-marking.js';
import { readDocument } from './reading/read-document.js';
import { readRequest } from './reading/read-request.js';

const SLICE_MS = 10;

export interface ReadingServices extends FoundServices, DecisionServices {
  /** Undefined where no result is shortened. */
  readonly heldResults: HeldResults | undefined;
  readonly tokens: DefinitionTokens;
}

/**
 * Definitions of visible tools, in at most `results.maxTokens` tokens: larger ones are summarized, unless one is asked
 * for in full.
 *
 * @throws ToolSearchError as {@link getTools}; `INVALID_ARGUMENTS` for several tools in full
 */
export async function definitions(
  request: ToolboxRequest,
  services: ReadingServices,
  names: readonly string[],
  { full = false, ...options }: ReadOptions = {},
): Promise<BoundedReply> {
  if (full && Array.isArray(names) && names.length > 1) {
    throw new ToolSearchError('INVALID_ARGUMENTS', 'Only one tool can be read in full at a time.', {
      hint: 'Name one tool, or leave full out.',
    });
  }
  const reply = await getTools(request, services, names, options);
  const { heldResults, tokens } = services;
  if (full || !heldResults) return { ...reply, summarized: [] };
  return new TimeSlicer(SLICE_MS).run(boundedDefinitions(reply, heldResults.settings.maxTokens, tokens.count));
}

/**
 * A part of a held result, in at most `results.shapedTokens` tokens.
 *
 * @param input the arguments of `tool_result`
 * @throws ToolSearchError `RESULT_NOT_AVAILABLE`; `INVALID_ARGUMENTS`, `GATE_CLOSED`, `STORE_UNAVAILABLE`
 */
export async function readResult(
  request: ToolboxRequest,
  services: ReadingServices,
  input: Readonly<Record<string, unknown>>,
): Promise<string> {
  const asked = readRequest(input);
  const { heldResults, tokens } = services;
  const caller = await request.who();
  if (!heldResults) throw unavailableError();
  const document = await heldResults.read(caller, asked.handle, (tool) => mayRead(tool, caller, services));
  const read = () =>
    new TimeSlicer(SLICE_MS).run(readDocument(document, asked, heldResults.settings.shapedTokens, tokens.count));
  return document.untrusted ? markedPart(read) : read();
}

// The error for a wrong pointer names keys of the result.
async function markedPart(read: () => Promise<string>): Promise<string> {
  try {
    return markedText(await read());
  } catch (error) {
    if (!isToolSearchError(error)) throw error;
    const { code, message, cause } = error;
    throw new ToolSearchError(code, markedText(message), { hint: (names) => hintOf(error, names), cause });
  }
}
