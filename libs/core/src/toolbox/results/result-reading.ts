import { TimeSlicer } from '../../async/time-slicer.js';
import type { DefinitionTokens } from '../../tool/token-count.js';
import { isToolSearchError, ToolSearchError } from '../../tool/tool-search.error.js';
import { unavailableError } from '../calls/call-errors.js';
import type { Admission } from '../calls/admission.js';
import type { ToolboxCaller } from '../toolbox-caller.js';
import type { ReadOptions } from '../search/described-tool.js';
import type { FoundTools } from '../search/found-tools.js';
import { boundedDefinitions, type BoundedReply } from './definitions/bounded-definitions.js';
import type { HeldResults } from './held/held-results.js';
import { markedText } from './marking/result-marking.js';
import { readDocument } from './reading/read-document.js';
import { readRequest } from './reading/read-request.js';

const SLICE_MS = 10;

export interface ReadingParts {
  /** Undefined where no result is shortened. */
  readonly heldResults: HeldResults | undefined;
  readonly tokens: DefinitionTokens;
}

/** Reads held results for one caller. */
export class ResultReading {
  constructor(
    private readonly parts: ReadingParts,
    private readonly caller: ToolboxCaller,
    private readonly admission: Admission,
  ) {}

  /**
   * Definitions of visible tools, in at most `results.maxTokens` tokens: larger ones are summarized, unless one is asked
   * for in full.
   *
   * @throws ToolSearchError as {@link FoundTools.get}; `INVALID_ARGUMENTS` for several tools in full
   */
  async definitions(
    names: readonly string[],
    { full = false, ...options }: ReadOptions = {},
    found: Pick<FoundTools, 'get'>,
  ): Promise<BoundedReply> {
    if (full && Array.isArray(names) && names.length > 1) {
      throw new ToolSearchError('INVALID_ARGUMENTS', 'Only one tool can be read in full at a time.', {
        hint: 'Name one tool, or leave full out.',
      });
    }
    const reply = await found.get(names, options);
    const { heldResults, tokens } = this.parts;
    if (full || !heldResults) return { ...reply, summarized: [] };
    return new TimeSlicer(SLICE_MS).run(boundedDefinitions(reply, heldResults.settings.maxTokens, tokens.count));
  }

  /**
   * A part of a held result, in at most `results.shapedTokens` tokens.
   *
   * @throws ToolSearchError `RESULT_NOT_AVAILABLE`; `INVALID_ARGUMENTS`, `GATE_CLOSED`, `STORE_UNAVAILABLE`
   */
  async read(input: Readonly<Record<string, unknown>>): Promise<string> {
    const request = readRequest(input);
    const { heldResults, tokens } = this.parts;
    const caller = await this.caller.who();
    if (!heldResults) throw unavailableError();
    const document = await heldResults.read(caller, request.handle, (tool) => this.admission.mayRead(tool, caller));
    const read = () =>
      new TimeSlicer(SLICE_MS).run(readDocument(document, request, heldResults.settings.shapedTokens, tokens.count));
    return document.untrusted ? markedPart(read) : read();
  }
}

// The error for a wrong pointer names keys of the result.
async function markedPart(read: () => Promise<string>): Promise<string> {
  try {
    return markedText(await read());
  } catch (error) {
    if (!isToolSearchError(error)) throw error;
    const { code, message, hint } = error;
    throw new ToolSearchError(code, markedText(message), { ...(hint !== undefined && { hint }), cause: error.cause });
  }
}
