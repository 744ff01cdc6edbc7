import type { Caller, ToolGate } from '../../access/tool-gate.js';
import { isAskedWithArguments } from '../call/require-approval.js';
import { eventIds } from '../../tool/tool-context.js';
import type { RunToolState } from '../runs/run-tool-state.js';
import type { DefinitionTokens } from '../../tool/token-count.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { ToolEvents } from '../../tool/tool-event.js';
import type { ToolTracing } from '../../tool/tool-tracing.js';
import type { LearnedQueries } from '../learned-queries/learned-queries.js';
import type { SearchGaps } from '../search-gaps/search-gaps.js';
import type { CallRecorder } from '../record/tool-call-records.js';
import type { SearchReply } from '../meta-tools/replies.js';
import { type RunSearches, LOOP_AT } from '../search-gaps/run-searches.js';
import type { Activated } from '../runs/run-tools.js';
import { ShownLifecycle } from './shown-lifecycle.js';
import { type DescriptionLine, searchReply } from './search-reply.js';
import type { SearchRequest } from './search-request.js';
import type { FinderOptions, Found, ToolFinder } from './tool-finder.js';
import { languageName } from './view-languages.js';
import type { ToolboxRequest } from '../toolbox-request.js';

export interface SearchServices {
  readonly records: CallRecorder;
  readonly gate: ToolGate;
  readonly finder: ToolFinder;
  readonly search: Required<Pick<FinderOptions, 'replyTokens' | 'offerTokens'>>;
  readonly learned: LearnedQueries;
  readonly gaps: SearchGaps;
  readonly tokens: DefinitionTokens;
  readonly events: ToolEvents;
  /** Records calls and searches as spans. @default nothing is recorded */
  readonly tracing?: ToolTracing | undefined;
}

/**
 * Finds tools. Hits are offered to the run, or activated immediately with `activateOn: 'search'`.
 *
 * @param line shortens a description
 * @param most tokens of definitions that this search may list, where that is less than the application allows
 * @throws ToolSearchError for an invalid request
 */
export async function searchTools(
  request: ToolboxRequest,
  services: SearchServices,
  asked: SearchRequest,
  line?: DescriptionLine,
  most = Infinity,
): Promise<SearchReply> {
  const { tracing } = services;
  const work = async () => counted({ request, caller: await request.who(), asked, line, most }, services);
  if (!tracing) return work();
  const { sessionId } = (await request.itself()).context;
  // Without the text of the query.
  const traced = { operation: 'retrieval', target: 'tool_search.catalog', ...(sessionId && { sessionId }) } as const;
  return tracing.trace(traced, work, () => 'ok');
}

interface AskedSearch {
  readonly request: ToolboxRequest;
  readonly caller: Caller;
  readonly asked: SearchRequest;
  readonly line: DescriptionLine | undefined;
  readonly most: number;
}

async function counted(search: AskedSearch, services: SearchServices): Promise<SearchReply> {
  const { request, caller } = search;
  const { context } = caller;
  const searches = services.gaps.of(request.run.stateOf(context), context);
  const inRow = searches.begin();
  try {
    return await replyTo(search, services, searches, inRow);
  } finally {
    searches.end();
  }
}

async function replyTo(
  { request, caller, asked, line, most }: AskedSearch,
  services: SearchServices,
  searches: RunSearches,
  inRow: number,
): Promise<SearchReply> {
  const started = performance.now();
  const { context } = caller;
  const { run } = request;
  const view = (await request.view(caller, 'search')).forModels();
  const active = new Set(await run.activeNames(caller, view));
  const state = run.stateOf(context);
  const isKnown = ({ name }: ToolDefinition) => active.has(name) || state.isOffered(name);
  const learned = await services.learned.overlay(context.tenantId, view.snapshot);
  const ranked = await services.finder.find(asked, view, { isKnown, learned, run: state });
  const lifecycle = new ShownLifecycle(services.gate.lifecycle().deprecations, view, context.tenantId);
  const found = { ...ranked, hits: lifecycle.successorsFirst(ranked) };
  services.events.emit({
    type: 'tool.searched',
    ...eventIds(context),
    searchId: found.searchId,
    requestedType: found.searchType.requested,
    effectiveType: found.searchType.effective,
    results: found.hits.length,
    verdict: found.verdict,
    ms: performance.now() - started,
  });
  const { step } = state;
  const names = found.hits.map(({ tool }) => tool.name);
  services.records.note('searched', caller, { step, tools: names, reason: found.verdict });
  if (services.learned.isOn) rememberSearches(state, found);
  const { replyTokens, offerTokens } = services.search;
  const deferred = found.hits.filter(({ tool }) => tool.loading === 'deferred').map(({ tool }) => tool);
  let heldBack: readonly ToolDefinition[] = [];
  let receipt: string | undefined;
  if (run.activateOn === 'search') {
    const { activated, alreadyActive, ...rest } = await activateFound(deferred, request, caller, services);
    ({ receipt } = rest);
    for (const name of [...activated, ...alreadyActive]) active.add(name);
  } else if (run.activateOn === 'call' && !(await request.shown.listsAll(caller))) {
    // Tools that are already listed cost no additional tokens.
    const fresh = deferred.filter((tool) => !isKnown(tool));
    const offered = selectWithinBudget(fresh, Math.min(offerTokens || Infinity, most), services.tokens);
    heldBack = fresh.filter((tool) => !offered.includes(tool));
    run.offer(
      caller,
      deferred.filter((tool) => !heldBack.includes(tool)),
    );
  }
  const budget = { replyTokens, count: services.tokens.count, line };
  const stateOf = (tool: ToolDefinition) => ({
    active: active.has(tool.name),
    isHeldBack: heldBack.includes(tool),
    deprecated: lifecycle.of(tool),
  });
  const isRepeated = searchedInVain(state, found, inRow);
  services.gaps.answered(searches, context, found, inRow, isRepeated);
  return {
    ...searchReply(found, view.deferred.size, stateOf, budget),
    ...searchNotes(found, isRepeated, inRow),
    ...(receipt !== undefined && { receipt }),
  };
}

// Tools whose use in the session needs an approval are not activated by a search: it never creates approval requests.
async function activateFound(
  found: readonly ToolDefinition[],
  request: ToolboxRequest,
  caller: Caller,
  services: SearchServices,
): Promise<Activated> {
  const view = await request.view(caller, 'load');
  const loadable = found.filter(({ name }) => view.find(name, caller.context.tenantId));
  const free = loadable.filter((tool) => {
    const asking = services.gate.approvalOf(tool, caller);
    return asking === undefined || isAskedWithArguments(asking, tool, caller, services);
  });
  return request.run.activate(caller, free, 'search');
}

/** Records which tools each query found, so that a later call can be attributed to its query. */
function rememberSearches(state: RunToolState, { request, answers }: Found): void {
  if (request.type !== 'bm25' && request.type !== 'fts') return;
  for (const [index, query] of request.queries.entries()) state.searched(query, answers[index]?.names ?? []);
}

/**
 * Records the queries without good hits. Returns whether all of them had been recorded before. Weak hits count only if
 * the run has done nothing but search since, because it may have called one of them.
 */
function searchedInVain(state: RunToolState, found: Found, inRow: number): boolean {
  const vain = searchKeys(found).filter((_, index) => found.answers[index]?.verdict !== 'found');
  const isKnown = vain.map((key) => state.searchedInVain(key)).every((known) => known);
  return isKnown && (found.verdict === 'none' || inRow > 1);
}

/**
 * Selects the hits to offer, in their order: always the best one, then each that still fits the budget. An offered tool
 * stays listed, so every later step pays for its tokens.
 *
 * @param budget tokens of definitions that one search may add to the list
 */
export function selectWithinBudget(
  hits: readonly ToolDefinition[],
  budget: number,
  tokens: Pick<DefinitionTokens, 'of'>,
): readonly ToolDefinition[] {
  let left = budget;
  return hits.filter((tool, rank) => {
    const cost = tokens.of(tool);
    if (rank > 0 && cost > left) return false;
    left -= cost;
    return true;
  });
}

/**
 * The notice and the hint of a search. They never depend on tools that the caller may not see: hidden and nonexistent
 * tools give the same texts.
 *
 * @param isRepeated whether the run has made the same search before, without hits
 * @param inRow number of searches in a row, without a tool read or called in between
 */
export function searchNotes(found: Found, isRepeated: boolean, inRow = 1): Pick<SearchReply, 'notice' | 'hint'> {
  const { request, isTruncated, verdict } = found;
  const isVain = verdict !== 'found';
  const isLoop = inRow >= LOOP_AT;
  const notices = [
    request.isLowered && `limit was lowered to ${request.limit}, the maximum`,
    isTruncated && 'only a part of the words was used',
    isVain && (isRepeated ? 'this run has searched for the same before, in vain' : IN_VAIN[verdict]),
    isLoop && `this is search ${inRow} in a row, with no tool read or called in between`,
  ].filter((notice) => notice !== false);
  return {
    ...(notices.length > 0 && { notice: notices.join('; ') }),
    ...(isVain && { hint: isRepeated || isLoop ? GIVE_UP[verdict] : tryOnce(found) }),
    ...(!isVain && isLoop && { hint: USE_WHAT_THERE_IS }),
  };
}

const IN_VAIN = { weak: 'these tools match only a small part of this search', none: 'no tool fits this search' };

const USE_WHAT_THERE_IS =
  'Stop searching. Read or call the tool that fits best; if none does, say that no tool does this.';

const GIVE_UP = {
  weak: USE_WHAT_THERE_IS,
  none: 'Do not repeat it. Use a tool you have if one fits; otherwise say that no tool does this.',
};

function tryOnce({ request, verdict, language, searchType: { effective } }: Found): string {
  const name = languageName(language);
  const inLanguage = name === undefined ? '' : `in ${name} `;
  if (verdict === 'weak') {
    return `Use one only if its description fits; otherwise search once more ${inLanguage}with other words.`;
  }
  const isByWords = effective === 'bm25' || effective === 'fts';
  const where = request.namespace === undefined ? '' : 'without namespace, ';
  const how = isByWords
    ? `${inLanguage}with other words for the action and its object`
    : 'by words: the action and its object';
  return `Use a tool you have if one fits. Otherwise search once more, ${where}${how}; if that is in vain too, say that no tool does this.`;
}

/** A key for each query of a search. Except for patterns, it ignores upper case and spacing. */
export function searchKeys({ request, searchType }: Pick<Found, 'request' | 'searchType'>): readonly string[] {
  const { queries, namespace = null, includeAlwaysLoaded = false, loading = null, fields = null } = request;
  return queries.map((query) => {
    const text = searchType.effective === 'regex' ? query : query.toLowerCase().replace(/\s+/g, ' ');
    return JSON.stringify([text, searchType.effective, namespace, includeAlwaysLoaded, loading, fields]);
  });
}
