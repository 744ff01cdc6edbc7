import { DeadlineError, withDeadline } from '../async/deadline.js';
import type { ToolDefinition } from '../tool/tool-definition.js';
import type { FilterPhase, Narrowing } from './narrowing.js';
import type { PolicyRefusal } from './policies/tool-policy.js';

type Filter = NonNullable<Narrowing['filter']>;

const PHASES: readonly FilterPhase[] = ['search', 'load', 'active'];

/** Number of tools that an asynchronous filter is asked about at the same time. */
const AT_ONCE = 100;

/** Filters that have answered with a promise, which cannot be asked where there is no time to wait. */
const asynchronous = new WeakSet<Filter>();

export interface FilterAnswer {
  /** Why a tool is removed; a tool without an entry stays. */
  readonly refusals: ReadonlyMap<ToolDefinition, PolicyRefusal>;
  /** A filter did not answer in time, so tools may be removed by mistake; do not keep this answer. */
  readonly isLate: boolean;
}

/**
 * Asks the filters of `narrow()` about tools, for this phase and every earlier one.
 *
 * @param deadlineMs milliseconds for all tools together; tools without an answer by then are removed
 */
export async function askFilters(
  steps: readonly Narrowing[],
  tools: readonly ToolDefinition[],
  phase: FilterPhase,
  deadlineMs: number,
): Promise<FilterAnswer> {
  const refusals = new Map<ToolDefinition, PolicyRefusal>();
  const filters = filtersOf(steps);
  if (filters.length === 0) return { refusals, isLate: false };
  const deadline = performance.now() + deadlineMs;
  for (let from = 0; from < tools.length; from += AT_ONCE) {
    const some = tools.slice(from, from + AT_ONCE);
    let answers: readonly Answer[] = some.map((tool) => firstRefused(filters, tool, phase));
    if (answers.some(isLater)) {
      try {
        const left = Math.max(deadline - performance.now(), 0);
        answers = await withDeadline(left, () => Promise.all(answers.map(async (answer) => answer)));
      } catch (error) {
        if (!(error instanceof DeadlineError)) throw error;
        for (const tool of tools.slice(from)) refusals.set(tool, LATE);
        return { refusals, isLate: true };
      }
    }
    for (const [index, tool] of some.entries()) {
      const refused = answers[index];
      if (typeof refused === 'string') refusals.set(tool, refusalIn(refused));
    }
  }
  return { refusals, isLate: false };
}

/** Asks the synchronous filters again, just before a tool runs. Asynchronous ones have answered a moment ago. */
export function filterRefusalNow(steps: readonly Narrowing[], tool: ToolDefinition): PolicyRefusal | undefined {
  const filters = filtersOf(steps).filter((filter) => !asynchronous.has(filter));
  const refused = firstRefused(filters, tool, 'active');
  if (refused === undefined) return undefined;
  return isLater(refused) ? LATE : refusalIn(refused);
}

/** The first phase that a filter removes the tool from; undefined for none. */
type Answer = FilterPhase | undefined | Promise<FilterPhase | undefined>;

function firstRefused(filters: readonly Filter[], tool: ToolDefinition, until: FilterPhase): Answer {
  const phases = PHASES.slice(0, PHASES.indexOf(until) + 1);
  const questions = filters.flatMap((filter) => phases.map((phase) => ({ filter, phase })));
  for (const [index, { filter, phase }] of questions.entries()) {
    const answer = asked(filter, tool, phase);
    if (isLater(answer)) return allowedLater(answer, questions.slice(index), tool);
    if (answer !== true) return phase;
  }
  return undefined;
}

/** Waits for one answer after another. A filter that rejects removes the tool. */
async function allowedLater(
  first: PromiseLike<unknown>,
  questions: readonly { readonly filter: Filter; readonly phase: FilterPhase }[],
  tool: ToolDefinition,
): Promise<FilterPhase | undefined> {
  for (const [index, { filter, phase }] of questions.entries()) {
    const answer = index === 0 ? first : asked(filter, tool, phase);
    if (isLater(answer)) asynchronous.add(filter);
    const isAllowed = await Promise.resolve(answer).then(
      (answer) => answer === true,
      () => false,
    );
    if (!isAllowed) return phase;
  }
  return undefined;
}

function asked(filter: Filter, tool: ToolDefinition, phase: FilterPhase): unknown {
  try {
    return filter(tool, phase);
  } catch {
    return false;
  }
}

function isLater(answer: unknown): answer is PromiseLike<unknown> {
  return typeof (answer as Partial<PromiseLike<unknown>> | undefined)?.then === 'function';
}

function filtersOf(steps: readonly Narrowing[]): readonly Filter[] {
  return steps.flatMap(({ filter }) => filter ?? []);
}

function refusalIn(phase: FilterPhase): PolicyRefusal {
  return { rule: `narrowed:filter-${phase}`, reason: `the caller's filter takes it away from ${phase}` };
}

const LATE: PolicyRefusal = { rule: 'narrowed:filter-late', reason: "the caller's filter did not answer in time" };
