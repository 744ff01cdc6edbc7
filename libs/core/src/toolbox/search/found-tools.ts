import { principalOf } from '../../tool/principal.js';
import type { Admission } from '../calls/admission.js';
import { type DescribeOptions, describeTool } from './described-tool.js';
import { boundedNames } from './name-bounds.js';
import { limitError, unavailableError } from '../calls/refusals.js';
import type { ActivateReply, GetReply } from '../meta-tools/replies.js';
import type { RunTools } from '../runs/run-tools.js';
import type { ToolboxAsker } from '../toolbox-asker.js';
import type { ToolboxServices } from '../toolbox-services.js';

/** Operations on found tools by name: reads their definitions and activates them. */
export class FoundTools {
  constructor(
    private readonly services: ToolboxServices,
    private readonly asker: ToolboxAsker,
    private readonly run: RunTools,
    private readonly admission: Admission,
  ) {}

  /** @throws ToolSearchError `TOOL_NOT_AVAILABLE` when no name is visible; a code for an invalid list of names */
  async get(names: readonly string[], options: DescribeOptions): Promise<GetReply> {
    const wanted = boundedNames(names);
    const asker = await this.asker.who();
    const { context } = asker;
    this.run.didElse(asker);
    const { found, unavailable } = await this.asker.find(asker, wanted, 'search');
    if (found.length === 0) throw unavailableError();
    this.services.events.emit({
      type: 'tool.described',
      ...principalOf(context),
      tools: found.map(({ name }) => name),
    });
    if (this.services.activateOn === 'call') {
      this.run.offer(
        asker,
        found.filter((tool) => tool.loading === 'deferred'),
      );
    }
    return {
      tools: found.map((tool) => describeTool(tool, this.services.examples, options)),
      unavailable,
    };
  }

  /**
   * @throws ToolSearchError `ACTIVATION_LIMIT` when there is no room for any of them, or an approval code when all of
   *   them wait for an approval
   */
  async activate(names: readonly string[]): Promise<ActivateReply> {
    const wanted = boundedNames(names);
    const asker = await this.asker.who();
    this.run.didElse(asker);
    const { found, unavailable } = await this.asker.find(asker, wanted, 'load');
    const { approved, waiting } = await this.admission.approved(found, asker);
    const always = approved.filter((tool) => tool.loading === 'always').map((tool) => tool.name);
    const deferred = approved.filter((tool) => tool.loading === 'deferred');
    const { activated, alreadyActive, overLimit, receipt } = await this.run.activate(asker, deferred, 'load');
    const isEmpty = activated.length + alreadyActive.length + always.length === 0;
    if (overLimit.length > 0 && activated.length === 0) throw limitError(this.services.activations.demotes);
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
    const view = await this.asker.view(await this.asker.who(), 'load');
    return view.tools().flatMap((tool) => (tool.loading === 'deferred' ? tool.name : []));
  }
}
