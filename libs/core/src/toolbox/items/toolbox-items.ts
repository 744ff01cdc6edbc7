import { withDeadline } from '../../async/deadline.js';
import type { ItemKind, ToolDefinition } from '../../tool/tool-definition.js';
import { failureOf, notAvailable, type ToolResult } from '../../tool/tool-result.js';
import { isToolSearchError, ToolSearchError } from '../../tool/tool-search.error.js';
import type { Completion, CompletionRequest } from '../../tool/tool-source.js';
import type { Narrowing } from '../../access/narrowing.js';
import { Admission, type AdmissionParts } from '../calls/admission.js';
import { unavailableError } from '../calls/call-errors.js';
import type { CallOptions, ToolRunner } from '../calls/tool-runner.js';
import type { CallRecorder } from '../record/tool-call-records.js';
import type { RunTools } from '../runs/run-tools.js';
import { type CallerParts, ToolboxCaller } from '../toolbox-caller.js';
import type { Explanation } from '../explanation.js';
import { type FoundItem, foundItem } from './found-item.js';
import type { ItemCatalog } from './item-catalog.js';

const MAX_VALUES = 100;
const MAX_VALUE_CHARS = 1000;
const COMPLETION_MS = 10_000;

export interface ItemParts extends CallerParts, AdmissionParts {
  readonly items: ItemCatalog;
  readonly runner: ToolRunner;
  readonly records: CallRecorder;
  /** Logs the cause of a failure, which callers do not receive. */
  readonly reportFault: (tool: string, error: unknown) => void;
}

/**
 * The context items of one request: resources, resource templates and prompts, for people and their clients. The same
 * gate as for tools decides about each; no model lists, finds or calls them.
 */
export class ToolboxItems {
  readonly #caller: ToolboxCaller;
  readonly #admission: Admission;

  constructor(
    private readonly parts: ItemParts,
    caller: ToolboxCaller,
    private readonly run: RunTools,
    lineage: readonly Narrowing[],
  ) {
    const own = { ...parts, ...parts.items };
    this.#caller = new ToolboxCaller(own, () => caller.root(), lineage);
    this.#admission = new Admission(own, run, this.#caller);
  }

  /** The kinds that the caller's sources may have: what sources declare, so nothing hidden shows in it. */
  async kinds(): Promise<ReadonlySet<ItemKind | 'logging'>> {
    const { tenantId } = (await this.#caller.who()).context;
    return new Set(this.parts.items.reader.sources(tenantId).flatMap(({ exposes }) => exposes));
  }

  /** All visible context items, in catalog order: the same array until something changes. */
  async visible(): Promise<readonly ToolDefinition[]> {
    return (await this.#caller.view(await this.#caller.who())).tools();
  }

  /**
   * The visible resource with this URI, or the visible template that it fits; undefined where there is none. What a
   * source lists as a resource is never found through one of its templates.
   */
  async find(uri: string): Promise<FoundItem | undefined> {
    const { snapshot, tools } = await this.#view();
    return foundItem(uri, tools, snapshot);
  }

  /**
   * Reads a resource (input `{}`) or what fits a template (input `{ uri }`), or fills in a prompt (input: its
   * arguments), by canonical name. Errors are returned as failures; the promise rejects only when the context cannot be
   * created. Nothing is cut: content beyond `calls.maxResultBytes` is `UPSTREAM_TOO_LARGE`.
   */
  async read(name: string, input: unknown, options: CallOptions = {}): Promise<ToolResult> {
    const caller = await this.#caller.who();
    try {
      const { context, agentIds } = caller;
      const step = () => this.run.shelf(context).step;
      return await this.parts.records.call(caller, step, async (trace) => {
        const admitted = await this.#admission.admitted(name, caller, trace);
        if (!admitted) return notAvailable();
        return this.parts.runner.run({ ...admitted, context, agentIds, trace }, input, options);
      });
    } catch (error) {
      if (!isToolSearchError(error) || error.cause !== undefined) this.parts.reportFault(name, error);
      return failureOf(error);
    }
  }

  /**
   * Suggests values for an argument of a prompt or a variable of a resource template: at most 100 of at most 1,000
   * characters, without those that complete a template to a resource that the caller may not see; none if the source has no
   * suggestions.
   *
   * @throws ToolSearchError `TOOL_NOT_AVAILABLE`, the code of a missing approval, or of the source's failure
   */
  async complete(name: string, request: CompletionRequest, signal?: AbortSignal): Promise<Completion> {
    const { executor, context } = await this.#admitted(name);
    const { source, localName, timeoutMs } = executor;
    if (!source.complete) return { values: [] };
    const run = async (linked: AbortSignal) => source.complete?.(localName, request, context, linked);
    const given = await withDeadline(Math.min(timeoutMs, COMPLETION_MS), run, signal).catch((error: unknown) => {
      throw isToolSearchError(error)
        ? error
        : new ToolSearchError('SOURCE_UNAVAILABLE', 'There are no suggestions now.');
    });
    const { values = [], total, hasMore } = given ?? {};
    const isUsable = await this.#usable(name, request);
    const usable = values.filter(
      (value) => typeof value === 'string' && value.length <= MAX_VALUE_CHARS && isUsable(value),
    );
    return {
      values: usable.slice(0, MAX_VALUES),
      // The number of all values would tell how many are hidden.
      ...(Number.isSafeInteger(total) && usable.length === values.length && { total }),
      hasMore: hasMore === true || usable.length > MAX_VALUES,
    };
  }

  /**
   * Calls `updated` when the content of a resource may have changed, as long as the caller sees it. Returns the function
   * that ends it.
   *
   * @throws ToolSearchError as {@link complete}
   */
  async subscribe(name: string, uri: string, updated: () => void): Promise<() => void> {
    const { executor, context } = await this.#admitted(name);
    const end = await executor.source.subscribe?.(executor.localName, uri, context, () => {
      // Rights may have changed since. A list that cannot be read now reveals nothing.
      void this.find(uri).then(
        (found) => found && updated(),
        () => undefined,
      );
    });
    return () => end?.();
  }

  /** The test whether a value may be suggested: a template completed with it must not lead to a resource that is hidden. */
  async #usable(name: string, { argument, context }: CompletionRequest): Promise<(value: string) => boolean> {
    const { snapshot, tools } = await this.#view();
    const item = tools.find((each) => each.name === name);
    if (item?.kind !== 'resource_template') return () => true;
    return (value) => {
      const uri = expanded(item.uri ?? '', { ...context, [argument.name]: value });
      return uri === undefined || foundItem(uri, tools, snapshot) !== undefined;
    };
  }

  /** @throws ToolSearchError */
  async #admitted(name: string) {
    const caller = await this.#caller.who();
    const admitted = await this.#admission.admitted(name, caller);
    if (!admitted?.mayRun()) throw unavailableError();
    return { executor: admitted.executor, context: caller.context };
  }

  /** Explains the decision about a context item, hidden or not; undefined for other names. For operators. */
  async explain(name: string): Promise<Explanation | undefined> {
    const caller = await this.#caller.who();
    const { tenantId } = caller.context;
    if (this.parts.items.reader.current(tenantId).idOf(name, tenantId) === undefined) return undefined;
    return this.#admission.explain(name, caller, true);
  }

  async #view() {
    const view = await this.#caller.view(await this.#caller.who());
    return { snapshot: view.snapshot, tools: view.tools() };
  }
}

/** A template with these values as they are; undefined while a variable has none. */
function expanded(template: string, values: Readonly<Record<string, string>>): string | undefined {
  let isWhole = true;
  const uri = template.replaceAll(/\{[+#./;?&]?([\w%.-]+)[^}]*\}/g, (_, name: string) => {
    if (!Object.hasOwn(values, name)) isWhole = false;
    return values[name] ?? '';
  });
  return isWhole ? uri : undefined;
}
