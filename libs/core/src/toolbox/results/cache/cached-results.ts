import { abortable, Deadline, withDeadline } from '../../../async/deadline.js';
import { parsedJson } from '../../../json/json.js';
import { globSet } from '../../../tool/tool-name.js';
import type { ToolDefinition, ToolOutput } from '../../../tool/tool-definition.js';
import { ToolSearchError } from '../../../tool/tool-search.error.js';
import type { ToolCall, ToolExecutor } from '../../../tool/tool-source.js';
import { type CachedCall, type CachePlace, placeOf } from './cache-place.js';
import { CacheRules, type ResultCacheSettings } from './cache-rules.js';
import { MemoryResultCache } from './memory-result-cache.js';
import type { ResultCache } from './result-cache.js';

/** A result as it is stored: within the limits of every result, and redacted. */
export interface StorableOutput extends ToolOutput {
  readonly truncated: boolean;
}

/**
 * Why the tool has not run: the tool was turned off while the call waited, or another repeat has used the approval of
 * the call.
 */
export type NotRun = 'withdrawn' | 'approval_used';

/** Answer of a source. */
export type FetchedAnswer = { readonly output: StorableOutput; readonly isError: boolean } | NotRun;

/** An answer, and whether it came without a call of its own. */
export interface CacheAnswer {
  readonly answer: FetchedAnswer;
  readonly cached: boolean;
}

/** A call of a source that may answer several callers. */
export interface SharedCall {
  /** Whether another caller has asked the same: it goes on when its first caller leaves. */
  readonly isJoined: boolean;
}

/** One call of a source that answers all callers who ask the same meanwhile. */
interface Flight extends SharedCall {
  readonly place: CachePlace;
  readonly tool: string;
  readonly deadline: Deadline;
  readonly landed: Promise<Landed>;
  callers: number;
  isJoined: boolean;
  /** Its data may have changed since it began: the answer is not stored. */
  isStale: boolean;
}

/** The text of an answer that others may have, or what only callers with the same context may have. */
type Landed = { readonly text: string; readonly answer: FetchedAnswer } | { readonly answer: FetchedAnswer };

/** Asks the source. A shared call has the signal of the flight, not of one caller. */
type Fetch = (call: ToolCall, shared?: SharedCall) => Promise<FetchedAnswer>;

/** Time after which a cache that does not answer counts as empty. */
const CACHE_WAIT_MS = 200;

/**
 * Answers calls of read tools from stored results, if the application has set `cache` for them. Equal calls at the same
 * time are one call. Errors, cut results and results that are no JSON are never stored. An error is given only to
 * callers with the same context.
 */
export class CachedResults {
  readonly rules: CacheRules;
  readonly #cache: ResultCache;
  readonly #flights = new Map<string, Flight>();

  constructor(
    settings: ResultCacheSettings,
    cache?: ResultCache,
    private readonly reportFault: (tool: string, error: unknown) => void = () => undefined,
  ) {
    this.rules = new CacheRules(settings);
    this.#cache = cache ?? new MemoryResultCache(settings);
  }

  /** Calls that run now, each for one or more callers. */
  get running(): number {
    return this.#flights.size;
  }

  /**
   * Answers a call that was admitted: from the cache, from an equal call that is running, or by `fetch`.
   *
   * @throws the errors of `fetch`; what `ToolSource.admit` throws; an error if the caller's signal aborts
   */
  async answer(call: CachedCall, own: ToolCall, fetch: Fetch): Promise<CacheAnswer> {
    const place = this.#placeOf(call);
    if (!place) return { answer: await fetch(own), cached: false };
    const stored = await this.#read(place, call.tool);
    const flight = stored ? undefined : this.#flights.get(idOf(place));
    if (!stored && !flight) {
      const begun = this.#begin(place, call, own, fetch);
      return { answer: (await this.#joined(begun, own.signal)).answer, cached: false };
    }
    const { executor, value, context } = call;
    await executor.source.admit?.(executor.localName, value, context, own);
    if (stored) return { answer: stored, cached: true };
    const landed = flight && (await this.#shared(flight, place, own.signal));
    return landed ? { answer: landed, cached: true } : { answer: await fetch(own), cached: false };
  }

  /**
   * Follows a call of a tool that changes data: when it has ended, however it ended, the results that it invalidates are
   * discarded.
   */
  following<T>(tool: ToolDefinition, executor: ToolExecutor, tenantId: string, work: () => Promise<T>): Promise<T> {
    const globs = this.rules.invalidatedBy(tool, executor);
    return globs.length === 0 ? work() : later(work).finally(() => this.invalidate(globs, tenantId));
  }

  /**
   * Discards stored results of matching tools: of this tenant, and those that all tenants share. For data that changed
   * in another way than by a tool.
   *
   * @param tools names or globs
   */
  async invalidate(tools: readonly string[], tenantId: string): Promise<void> {
    const matches = globSet(tools);
    const places = new Set([tenantId, '']);
    for (const [id, flight] of this.#flights) {
      if (!places.has(flight.place.tenantId) || !matches(flight.tool)) continue;
      flight.isStale = true;
      // Callers who come later ask anew.
      this.#flights.delete(id);
    }
    for (const each of places) {
      await this.#patiently(() => this.#cache.removeTools(each, matches), tools.join(', '));
    }
  }

  #placeOf(call: CachedCall): CachePlace | undefined {
    const rule = this.rules.of(call.tool, call.executor);
    if (!rule) return undefined;
    try {
      return placeOf(rule, call);
    } catch (error) {
      this.reportFault(call.tool.name, error);
      return undefined;
    }
  }

  async #read({ tenantId, key }: CachePlace, tool: ToolDefinition): Promise<FetchedAnswer | undefined> {
    const text = await this.#patiently(() => this.#cache.read(tenantId, key), tool.name);
    return text === undefined ? undefined : answerOf(text);
  }

  #begin(place: CachePlace, call: CachedCall, own: ToolCall, fetch: Fetch): Flight {
    const { tool, executor } = call;
    const ttlMs = this.rules.of(tool, executor)?.ttlMs ?? 0;
    const deadline = new Deadline(executor.timeoutMs);
    const land = async (): Promise<Landed> => {
      try {
        // Nobody is asked: what one caller answers is not for the others.
        const shared = { ...own, asks: [], signal: deadline.signal };
        delete shared.ask;
        const answer = await abortable(() => fetch(shared, flight), deadline.signal);
        const text = storable(answer);
        if (text === undefined) return { answer };
        if (!flight.isStale) await this.#store(flight, text, ttlMs);
        return { text, answer };
      } catch (error) {
        throw deadline.passed
          ? new ToolSearchError('TOOL_TIMEOUT', `${tool.name} did not answer within ${executor.timeoutMs} ms.`)
          : error;
      } finally {
        deadline.clear();
        this.#end(flight);
      }
    };
    const state = { callers: 0, isJoined: false, isStale: false };
    const flight: Flight = { place, tool: tool.name, deadline, ...state, landed: later(land) };
    flight.landed.catch(() => undefined);
    this.#flights.set(idOf(place), flight);
    return flight;
  }

  async #store(flight: Flight, text: string, ttlMs: number): Promise<void> {
    const { place, tool } = flight;
    const { tenantId, key } = place;
    await this.#patiently(() => this.#cache.write({ tenantId, key, tool, text, ttlMs }), tool);
    // Invalidated while it was written.
    if (flight.isStale) await this.#patiently(() => this.#cache.remove(tenantId, key), tool);
  }

  /** The answer of another caller's call, as far as this caller may have it; undefined: it has to ask itself. */
  async #shared(flight: Flight, { principal }: CachePlace, signal: AbortSignal): Promise<FetchedAnswer | undefined> {
    const isSame = flight.place.principal === principal;
    flight.isJoined = true;
    try {
      const landed = await this.#joined(flight, signal);
      if ('text' in landed) return answerOf(landed.text);
      return isSame && typeof landed.answer !== 'string' ? landed.answer : undefined;
    } catch (error) {
      if (isSame || signal.aborted) throw error;
      return undefined;
    }
  }

  // The last caller that leaves ends the call.
  async #joined(flight: Flight, signal: AbortSignal): Promise<Landed> {
    flight.callers += 1;
    try {
      return await abortable(() => flight.landed, signal);
    } finally {
      flight.callers -= 1;
      if (flight.callers === 0) {
        this.#end(flight);
        flight.deadline.abort(new Error('every caller has left'));
      }
    }
  }

  #end(flight: Flight): void {
    const id = idOf(flight.place);
    if (this.#flights.get(id) === flight) this.#flights.delete(id);
  }

  // A cache that fails or hangs costs no call.
  async #patiently<T>(work: () => Promise<T>, tool: string): Promise<T | undefined> {
    try {
      return await withDeadline(CACHE_WAIT_MS, work);
    } catch (error) {
      this.reportFault(tool, error);
      return undefined;
    }
  }
}

function idOf({ tenantId, key }: CachePlace): string {
  return `${key}/${tenantId}`;
}

function later<T>(work: () => Promise<T>): Promise<T> {
  return Promise.resolve().then(work);
}

/** The text of an answer that may be stored, or undefined. */
function storable(answer: FetchedAnswer): string | undefined {
  if (typeof answer === 'string' || answer.isError || answer.output.truncated) return undefined;
  try {
    return JSON.stringify(answer.output);
  } catch {
    return undefined;
  }
}

// Each caller gets objects of its own, so that none can change those of another.
function answerOf(text: string): FetchedAnswer | undefined {
  const output = parsedJson(text) as StorableOutput | undefined;
  return output && { output, isError: false };
}
