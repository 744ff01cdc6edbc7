import type { Caller } from '../../access/tool-gate.js';
import { eventIds } from '../../tool/event-ids.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { Admission } from '../calls/admission.js';
import { rememberSearches, searchedInVain } from './remember-searches.js';
import type { SearchReply } from '../meta-tools/replies.js';
import { selectWithinBudget } from './select-within-budget.js';
import type { RunSearches } from '../runs/run-searches.js';
import type { Activated, RunTools } from '../runs/run-tools.js';
import { searchNotes } from './search-notes.js';
import { type DescriptionLine, searchReply } from './search-reply.js';
import type { SearchRequest } from './search-request.js';
import type { ToolboxCaller } from '../toolbox-caller.js';
import type { ToolboxServices } from '../toolbox-services.js';
import { tracedSearch } from '../calls/traced-work.js';

/** Searches of one toolbox. Hits are offered to its run, or activated immediately with `activateOn: 'search'`. */
export class ToolboxSearch {
  constructor(
    private readonly services: ToolboxServices,
    private readonly run: RunTools,
    private readonly admission: Admission,
    private readonly caller: ToolboxCaller,
  ) {}

  /** @throws ToolSearchError for an invalid request */
  search(request: SearchRequest, line?: DescriptionLine): Promise<SearchReply> {
    const { tracing } = this.services;
    const search = async () => this.#counted(request, await this.caller.who(), line);
    if (!tracing) return search();
    const context = this.caller.itself().then((caller) => caller.context);
    return tracedSearch(tracing, context, search);
  }

  async #counted(request: SearchRequest, caller: Caller, line: DescriptionLine | undefined): Promise<SearchReply> {
    const searches = this.services.gaps.of(this.run.shelf(caller.context), caller.context);
    const inRow = searches.begin();
    try {
      return await this.#search(request, caller, line, searches, inRow);
    } finally {
      searches.end();
    }
  }

  async #search(
    request: SearchRequest,
    caller: Caller,
    line: DescriptionLine | undefined,
    searches: RunSearches,
    inRow: number,
  ): Promise<SearchReply> {
    const started = performance.now();
    const { context } = caller;
    const view = await this.caller.view(caller, 'search');
    const active = new Set(await this.run.activeNames(caller, view));
    const shelf = this.run.shelf(context);
    const isKnown = ({ name }: ToolDefinition) => active.has(name) || shelf.isOffered(name);
    const learned = await this.services.learned.overlay(context.tenantId, view.snapshot);
    const found = await this.services.finder.find(request, view, { isKnown, learned });
    this.services.events.emit({
      type: 'tool.searched',
      ...eventIds(context),
      searchId: found.searchId,
      requestedType: found.searchType.requested,
      effectiveType: found.searchType.effective,
      results: found.hits.length,
      verdict: found.verdict,
      ms: performance.now() - started,
    });
    if (this.services.learned.isOn) rememberSearches(shelf, found);
    const { replyTokens, offerTokens } = this.services.search;
    const deferred = found.hits.filter(({ tool }) => tool.loading === 'deferred').map(({ tool }) => tool);
    let heldBack: readonly ToolDefinition[] = [];
    let receipt: string | undefined;
    if (this.services.activateOn === 'search') {
      const { activated, alreadyActive, ...rest } = await this.#activateFound(caller, deferred);
      ({ receipt } = rest);
      for (const name of [...activated, ...alreadyActive]) active.add(name);
    } else if (this.services.activateOn === 'call') {
      // Tools that are already listed cost no additional tokens.
      const fresh = deferred.filter((tool) => !isKnown(tool));
      const offered = selectWithinBudget(fresh, offerTokens, this.services.tokens);
      heldBack = fresh.filter((tool) => !offered.includes(tool));
      this.run.offer(
        caller,
        deferred.filter((tool) => !heldBack.includes(tool)),
      );
    }
    const budget = { replyTokens, count: this.services.countTokens, line };
    const stateOf = (tool: ToolDefinition) => ({ active: active.has(tool.name), isHeldBack: heldBack.includes(tool) });
    const isRepeated = searchedInVain(shelf, found);
    this.services.gaps.answered(searches, context, found, inRow, isRepeated);
    return {
      ...searchReply(found, view.deferred.size, stateOf, budget),
      ...searchNotes(found, isRepeated, inRow),
      ...(receipt !== undefined && { receipt }),
    };
  }

  // Tools that need an approval are not activated by a search, so a search never creates approval requests.
  async #activateFound(caller: Caller, found: readonly ToolDefinition[]): Promise<Activated> {
    const view = await this.caller.view(caller, 'load');
    const loadable = found.filter(({ name }) => view.find(name, caller.context.tenantId));
    const free = loadable.filter((tool) => !this.admission.needsApproval(tool, caller));
    return this.run.activate(caller, free, 'search');
  }
}
