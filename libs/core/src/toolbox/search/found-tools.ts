import { eventIds } from '../../tool/tool-context.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import { unavailableError } from '../call/call-errors.js';
import { approvedOf, type ApprovalServices } from '../call/require-approval.js';
import type { ActivateReply, GetReply } from '../meta-tools/replies.js';
import type { CallRecorder } from '../record/tool-call-records.js';
import type { ToolboxRequest } from '../toolbox-request.js';
import { type DescribeOptions, describeTool, type ExampleOptions } from './described-tool.js';
import { ShownLifecycle } from './shown-lifecycle.js';

export interface FoundServices extends ApprovalServices {
  readonly records: CallRecorder;
  readonly examples: ExampleOptions;
}

/**
 * Definitions of found tools, which are offered from then on.
 *
 * @throws ToolSearchError `TOOL_NOT_AVAILABLE` when no name is visible; a code for an invalid list of names
 */
export async function getTools(
  request: ToolboxRequest,
  { events, records, gate, examples }: FoundServices,
  names: readonly string[],
  options: DescribeOptions = {},
): Promise<GetReply> {
  const wanted = boundedNames(names);
  const caller = await request.who();
  const { context } = caller;
  const { run } = request;
  run.resetSearchStreak(caller);
  const { found, unavailable } = await request.find(caller, wanted, 'search');
  if (found.length === 0) throw unavailableError();
  const tools = found.map(({ name }) => name);
  events.emit({ type: 'tool.described', ...eventIds(context), tools });
  records.note('described', caller, { step: run.stateOf(context).step, tools });
  if (run.activateOn === 'call' && !(await request.shown.listsAll(caller))) {
    run.offer(
      caller,
      found.filter((tool) => tool.loading === 'deferred'),
    );
  }
  const view = (await request.view(caller, 'search')).forModels();
  const lifecycle = new ShownLifecycle(gate.lifecycle().deprecations, view, context.tenantId);
  const described = found.map((tool) => describeTool(lifecycle.on(tool), examples, options));
  return { tools: described, unavailable };
}

/**
 * Activates found tools before they are called.
 *
 * @throws ToolSearchError `ACTIVATION_LIMIT` when there is no room for any of them, or an approval code when all of
 *   them wait for an approval
 */
export async function activateTools(
  request: ToolboxRequest,
  services: FoundServices,
  names: readonly string[],
): Promise<ActivateReply> {
  const wanted = boundedNames(names);
  const caller = await request.who();
  const { run } = request;
  run.resetSearchStreak(caller);
  const { found, unavailable } = await request.find(caller, wanted, 'load');
  const { approved, waiting } = await approvedOf({ request, caller }, found, services);
  const always = approved.filter((tool) => tool.loading === 'always').map((tool) => tool.name);
  const deferred = approved.filter((tool) => tool.loading === 'deferred');
  const { activated, alreadyActive, overLimit, receipt } = await run.activate(caller, deferred, 'load');
  const { step } = run.stateOf(caller.context);
  if (activated.length > 0) services.records.note('loaded', caller, { step, tools: activated });
  const isEmpty = activated.length + alreadyActive.length + always.length === 0;
  if (overLimit.length > 0 && activated.length === 0) throw run.limitError();
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
export async function loadableTools(request: ToolboxRequest): Promise<readonly string[]> {
  const view = (await request.view(await request.who(), 'load')).forModels();
  return view.tools().flatMap((tool) => (tool.loading === 'deferred' ? tool.name : []));
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
      hint: ({ search }) => search && `Find names with ${search}.`,
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
        { hint: ({ search }) => search && `Copy names from a ${search} answer.` },
      );
    }
  }
  return [...new Set(names as string[])];
}
