import { eventIds } from '../../tool/tool-context.js';
import type { ToolEvents } from '../../tool/tool-event.js';
import type { ToolGate } from '../../access/tool-gate.js';
import type { Admission } from '../calls/admission.js';
import { ShownLifecycle } from './shown-lifecycle.js';
import { type DescribeOptions, describeTool, type ExampleOptions } from './described-tool.js';
import { unavailableError } from '../calls/call-errors.js';
import type { ActivateReply, GetReply } from '../meta-tools/replies.js';
import type { CallRecorder } from '../record/tool-call-records.js';
import type { RunTools } from '../runs/run-tools.js';
import type { ShownMode } from '../surface/shown-mode.js';
import type { ToolboxCaller } from '../toolbox-caller.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';

export interface FoundParts {
  readonly records: CallRecorder;
  readonly events: ToolEvents;
  readonly examples: ExampleOptions;
  readonly gate: ToolGate;
}

/** Operations on found tools by name: reads their definitions and activates them. */
export class FoundTools {
  constructor(
    private readonly parts: FoundParts,
    private readonly caller: ToolboxCaller,
    private readonly run: RunTools,
    private readonly admission: Admission,
    private readonly shown: ShownMode,
  ) {}

  /** @throws ToolSearchError `TOOL_NOT_AVAILABLE` when no name is visible; a code for an invalid list of names */
  async get(names: readonly string[], options: DescribeOptions = {}): Promise<GetReply> {
    const wanted = boundedNames(names);
    const caller = await this.caller.who();
    const { context } = caller;
    this.run.resetSearchStreak(caller);
    const { found, unavailable } = await this.caller.find(caller, wanted, 'search');
    if (found.length === 0) throw unavailableError();
    const tools = found.map(({ name }) => name);
    this.parts.events.emit({ type: 'tool.described', ...eventIds(context), tools });
    this.parts.records.note('described', caller, { step: this.run.shelf(context).step, tools });
    if (this.run.activateOn === 'call' && !(await this.shown.listsAll(caller))) {
      this.run.offer(
        caller,
        found.filter((tool) => tool.loading === 'deferred'),
      );
    }
    const view = await this.caller.view(caller, 'search');
    const lifecycle = new ShownLifecycle(this.parts.gate.lifecycle().deprecations, view, context.tenantId);
    const described = found.map((tool) => describeTool(lifecycle.on(tool), this.parts.examples, options));
    return { tools: described, unavailable };
  }

  /**
   * @throws ToolSearchError `ACTIVATION_LIMIT` when there is no room for any of them, or an approval code when all of
   *   them wait for an approval
   */
  async activate(names: readonly string[]): Promise<ActivateReply> {
    const wanted = boundedNames(names);
    const caller = await this.caller.who();
    this.run.resetSearchStreak(caller);
    const { found, unavailable } = await this.caller.find(caller, wanted, 'load');
    const { approved, waiting } = await this.admission.approved(found, caller);
    const always = approved.filter((tool) => tool.loading === 'always').map((tool) => tool.name);
    const deferred = approved.filter((tool) => tool.loading === 'deferred');
    const { activated, alreadyActive, overLimit, receipt } = await this.run.activate(caller, deferred, 'load');
    const { step } = this.run.shelf(caller.context);
    if (activated.length > 0) this.parts.records.note('loaded', caller, { step, tools: activated });
    const isEmpty = activated.length + alreadyActive.length + always.length === 0;
    if (overLimit.length > 0 && activated.length === 0) throw this.run.limitError();
    if (isEmpty && unavailable.length === 0 && waiting[0]) throw waiting[0].error;
    return {
      activated,
      alreadyActive: [...always, ...alreadyActive],
      unavailable,
      overLimit,
      ...(waiting.length > 0 && { waiting: waiting.map(({ name, error }) => ({ name, code: error.code })) }),
      ...(receipt !== undefined && { receipt }),
    };
  }

  /** Names of the deferred tools that may be loaded now, in catalog order. */
  async loadable(): Promise<readonly string[]> {
    const view = await this.caller.view(await this.caller.who(), 'load');
    return view.tools().flatMap((tool) => (tool.loading === 'deferred' ? tool.name : []));
  }
}

const MAX_NAMES = 10;

/**
 * Validates a list of 1 to 10 exact canonical names and removes duplicates. Names are not corrected, because a similar
 * name may belong to a different tool.
 *
 * @throws ToolSearchError `INVALID_ARGUMENTS` or `TOO_MANY_NAMES`
 */
export function boundedNames(names: unknown): readonly string[] {
  if (!Array.isArray(names) || names.length === 0) {
    throw new ToolSearchError('INVALID_ARGUMENTS', 'names must be a list of 1 to 10 tool names.', {
      hint: 'Find names with tool_search.',
    });
  }
  if (names.length > MAX_NAMES) {
    throw new ToolSearchError(
      'TOO_MANY_NAMES',
      `${names.length} names were asked for; at most ${MAX_NAMES} fit one call.`,
      { hint: 'Ask in several calls.' },
    );
  }
  for (const name of names) {
    if (typeof name !== 'string' || name === '' || name.length > 128 || /[*?]/.test(name)) {
      throw new ToolSearchError(
        'INVALID_ARGUMENTS',
        'Every name must be a tool name of 1 to 128 characters, without wildcards.',
        { hint: 'Copy names from a tool_search answer.' },
      );
    }
  }
  return [...new Set(names as string[])];
}
