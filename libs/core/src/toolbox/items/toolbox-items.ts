import { OWN_META_NAMES } from '../../tool/meta-names.js';
import type { ExposedKind, ItemKind, ToolDefinition } from '../../tool/tool-definition.js';
import type { ToolResult } from '../../tool/tool-result.js';
import type { Completion, CompletionRequest } from '../../tool/tool-source.js';
import { admit } from '../call/admit.js';
import { type CallServices, readItem } from '../call/call.js';
import type { CallOptions } from '../call/call-options.js';
import { admitUse, type WorkOptions } from '../call/hold.js';
import { WorkArguments } from '../call/work-arguments.js';
import { explain, type Explanation } from '../explanation.js';
import type { RequestServices, ToolboxRequest } from '../toolbox-request.js';
import type { ToolView } from '../tool-views.js';
import { type CompletionServices, suggestions } from './completions.js';
import { type FoundItem, ItemFinder, type ItemView } from './found-item.js';
import type { ItemCatalog } from './item-catalog.js';
import { withOpenPages } from './open-pages.js';

export interface ItemServices extends RequestServices, CallServices, CompletionServices {
  readonly items: ItemCatalog;
}

/**
 * The context items of one request: resources, resource templates and prompts, for people and their clients. The same
 * gate as for tools decides about each; no model lists, finds or calls them.
 */
export class ToolboxItems {
  readonly #services: ItemServices;
  readonly #request: ToolboxRequest;
  readonly #tools: ToolboxRequest;

  constructor(services: ItemServices, request: ToolboxRequest) {
    this.#tools = request;
    this.#services = { ...services, ...services.items };
    this.#request = request.over(this.#services);
  }

  /** The kinds that the caller's sources may have: what sources declare, so nothing hidden shows in it. */
  async kinds(): Promise<ReadonlySet<ExposedKind>> {
    const { tenantId } = (await this.#request.who()).context;
    return new Set(this.#services.reader.sources(tenantId).flatMap(({ exposes }) => exposes));
  }

  /** All visible context items, in catalog order: the same array until something changes. */
  async visible(): Promise<readonly ToolDefinition[]> {
    return (await this.#seen()).tools();
  }

  /**
   * The visible resource with this URI, or the visible template that it fits; undefined where there is none. What a
   * source lists as a resource is never found through one of its templates.
   */
  async find(uri: string): Promise<FoundItem | undefined> {
    const finder = new ItemFinder(await this.#view());
    await finder.prepare(uri);
    return finder.find(uri);
  }

  /**
   * Reads a resource (input `{}`) or what fits a template (input `{ uri }`), or fills in a prompt (input: its
   * arguments), by canonical name. Errors are returned as failures; the promise rejects only when the context cannot be
   * created. Nothing is cut: content beyond `calls.maxResultBytes` is `UPSTREAM_TOO_LARGE`.
   */
  async read(name: string, input: unknown, options: CallOptions = {}): Promise<ToolResult> {
    const caller = await this.#request.who();
    const read = { request: this.#request, caller, name, input, options, metaNames: OWN_META_NAMES, trace: undefined };
    return readItem(read, this.#services);
  }

  /**
   * Suggests values for an argument of a prompt or a variable of a resource template: at most 100 of at most 1,000
   * characters, redacted, without those that name a resource of the source that the caller may not see; none if the source
   * has no suggestions, if each read needs an approval of its own, or if a rule on arguments or a call policy may ask for one.
   * Counts in `tuning.limits.completionsPerMinute` alone, and in the record as one row a minute for each user and item.
   *
   * @throws ToolSearchError `TOOL_NOT_AVAILABLE`, the code of a missing approval, `LIMIT_REACHED`, also where a limit of the
   *   item's calls is reached, `REDACTION_FAILED`, or the code of the source's failure
   */
  async complete(
    name: string,
    asked: CompletionRequest,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<Completion> {
    const request = this.#request;
    const services = this.#services;
    const caller = await request.who();
    const step = () => request.run.stateOf(caller.context).step;
    return services.records.completion(caller, step, async (trace) => {
      const admitted = await admit({ request, caller, name, options: {}, trace }, services);
      return suggestions(services, { admitted, asked, signal, view: () => this.#view() });
    });
  }

  /**
   * Calls `updated` when the content of a resource may have changed, as long as the caller sees it. Returns the function
   * that ends it.
   *
   * @throws ToolSearchError `TOOL_NOT_AVAILABLE`, the code of a missing approval, or of the source's failure
   */
  async subscribe(name: string, uri: string, updated: () => void): Promise<() => void> {
    const request = this.#request;
    const use = { request, caller: await request.who(), name, options: {}, trace: undefined };
    // As a read of it has them.
    const work = new WorkArguments((await this.#kindOf(name)) === 'resource' ? {} : { uri });
    // It decides again at its end, with these arguments.
    const { executor, caller } = await admitUse(use, work, this.#services);
    const end = await executor.source.subscribe?.(executor.localName, uri, caller.context, () => {
      // Rights may have changed since. A list that cannot be read now reveals nothing.
      void this.find(uri).then(
        (found) => found && updated(),
        () => undefined,
      );
    });
    return () => end?.();
  }

  /** Explains the decision about a context item, hidden or not; undefined for other names. For operators. */
  async explain(name: string, options: WorkOptions = {}): Promise<Explanation | undefined> {
    const caller = await this.#request.who();
    const { tenantId } = caller.context;
    if (this.#services.reader.current(tenantId).idOf(name, tenantId) === undefined) return undefined;
    return explain(this.#request, name, true, this.#services, options);
  }

  async #kindOf(name: string): Promise<ItemKind | undefined> {
    const { tenantId } = await this.#request.root();
    const snapshot = this.#services.reader.current(tenantId);
    const id = snapshot.idOf(name, tenantId);
    return id === undefined ? undefined : snapshot.at(id).kind;
  }

  async #view(): Promise<ItemView> {
    const view = await this.#seen();
    return { snapshot: view.snapshot, tools: view.tools() };
  }

  async #seen(): Promise<ToolView> {
    const items = await this.#request.view(await this.#request.who());
    if (!this.#tools.opensApps || !items.tools().some(({ appPage }) => appPage)) return items;
    return withOpenPages(items, await this.#tools.view(await this.#tools.who()));
  }
}
