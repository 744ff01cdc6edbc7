import type { CallLimits } from '../../access/limits/call-limits.js';
import type { CompletionLimit } from '../../access/limits/completion-limit.js';
import { errorOf } from '../../access/limits/limit-failure.js';
import { withDeadline } from '../../async/deadline.js';
import { TimeSlicer } from '../../async/time-slicer.js';
import { failureOf } from '../../tool/tool-result.js';
import { isToolSearchError, ToolSearchError } from '../../tool/tool-search.error.js';
import type { Completion, CompletionRequest } from '../../tool/tool-source.js';
import type { PolicyServices } from '../call/ask-policies.js';
import { needsOwnApproval } from '../call/askers.js';
import { unavailableError } from '../call/call-errors.js';
import type { AdmittedUse } from '../call/call-types.js';
import { decideAgain, NO_ARGUMENTS_DECIDED } from '../call/decide.js';
import type { CallRedaction, ResultRedaction } from '../results/redaction/result-redaction.js';
import type { ItemView } from './found-item.js';
import { valueTest } from './suggested-values.js';

const MAX_VALUES = 100;
const MAX_VALUE_CHARS = 1000;
/** Values of a source that are looked at: some may be hidden. The protocol lets a server send 100. */
const MAX_TRIED = 200;
const COMPLETION_MS = 10_000;
const SLICE_MS = 5;
const NOTHING: Completion = { values: [] };

export interface CompletionServices extends PolicyServices {
  readonly limits: CallLimits;
  readonly completionLimit: CompletionLimit;
  readonly redaction: ResultRedaction | undefined;
}

/** A request for suggestions, of an item that the gate has admitted. */
export interface AdmittedCompletion {
  readonly admitted: AdmittedUse;
  readonly asked: CompletionRequest;
  readonly signal: AbortSignal;
  /** The items as of now. */
  readonly view: () => Promise<ItemView>;
}

/**
 * Asks a source for suggestions: within the limits, without what the caller may not see, and redacted.
 *
 * @throws ToolSearchError `LIMIT_REACHED`, `REDACTION_FAILED`, `TOOL_NOT_AVAILABLE` and the source's own
 */
export async function suggestions(
  services: CompletionServices,
  { admitted, asked, signal, view }: AdmittedCompletion,
): Promise<Completion> {
  const { tool, executor, caller } = admitted;
  const { context, agentIds } = caller;
  const refused =
    services.completionLimit.take(tool, context) ??
    (await services.limits.refusalOfSuggestions({ tool, context, agentIds }));
  if (refused) throw errorOf(refused);
  // Nobody approves suggestions one by one, and they show what only an approved read may.
  const mayBeAsked =
    services.callPolicies.on(tool).length > 0 ||
    services.gate.argumentRules(tool, caller).some(({ rule }) => rule.then === 'approve');
  if (mayBeAsked || needsOwnApproval(admitted.decision)) return NOTHING;
  // Longer than any value that may be suggested for it.
  if (!executor.source.complete || asked.argument.value.length > MAX_VALUE_CHARS) return NOTHING;
  decideAgain(admitted, NO_ARGUMENTS_DECIDED, services);
  const redaction = services.redaction?.of(tool.name, signal);
  const given = await askSource(admitted, asked, signal, redaction);
  const now = await view();
  // It may have been hidden meanwhile.
  decideAgain(admitted, NO_ARGUMENTS_DECIDED, services);
  if (!now.tools.some(({ name }) => name === tool.name)) throw unavailableError();
  const slicer = new TimeSlicer(SLICE_MS);
  const isUsable = await valueTest(tool, asked, now, slicer);
  if (!isUsable) return NOTHING;
  const { values = [], total, hasMore } = given ?? {};
  const usable: string[] = [];
  const tried = values.slice(0, MAX_TRIED);
  await slicer.each(tried.length, 1, (index) => {
    const value = tried[index];
    if (typeof value === 'string' && value.length <= MAX_VALUE_CHARS && isUsable(value)) usable.push(value);
  });
  const first = usable.slice(0, MAX_VALUES);
  const shown = redaction && first.length > 0 ? await redaction.suggestions(first) : first;
  return {
    // Values that differed in what was redacted are one.
    values: [...new Set(shown)].filter((value) => value.length <= MAX_VALUE_CHARS),
    // A larger number would tell how many are hidden.
    ...(total === values.length && new Set(shown).size === values.length && { total }),
    hasMore: hasMore === true || usable.length > MAX_VALUES || values.length > MAX_TRIED,
  };
}

async function askSource(
  { executor: { source, localName, timeoutMs }, caller: { context } }: AdmittedUse,
  request: CompletionRequest,
  signal: AbortSignal,
  redaction: CallRedaction | undefined,
): Promise<Completion | undefined> {
  try {
    const run = async (linked: AbortSignal) => source.complete?.(localName, request, context, linked);
    return await withDeadline(Math.min(timeoutMs, COMPLETION_MS), run, signal);
  } catch (error) {
    // Not logged: with each key press, a faulty server would write to the log.
    if (!isToolSearchError(error)) throw new ToolSearchError('SOURCE_UNAVAILABLE', 'There are no suggestions now.');
    if (!redaction) throw error;
    throw errorOf(await redaction.failure(failureOf(error)));
  }
}
