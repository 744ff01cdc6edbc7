import { LruMap } from '../../collections/lru-map.js';
import type { JsonObject } from '../../json/json.js';
import {
  type AcceptedTool,
  DefinitionStore,
  type PinChange,
  type SourceKey,
  type SourcePins,
} from './definition-store.js';

interface Registered {
  readonly revision: number;
  readonly tools: ReadonlyMap<string, AcceptedTool>;
}

const KEEP_GONE = 1_000;
const MAX_SOURCES = 10_000;

/**
 * Keeps accepted definitions in the memory of one process: after a restart, the first definitions of a source are
 * accepted. Keeps the 10,000 most recently used sources, because tenants' sources come and go.
 */
export class MemoryDefinitionStore extends DefinitionStore {
  readonly #sources: LruMap<Registered>;
  // One counter for all sources, so that an evicted source that returns does not repeat a revision.
  #revision = 0;

  /** @param maxSources maximum number of sources; default 10,000 */
  constructor(maxSources = MAX_SOURCES) {
    super();
    this.#sources = new LruMap(maxSources);
  }

  override async pins(key: SourceKey, known?: number): Promise<SourcePins | 'unchanged' | undefined> {
    const registered = this.#sources.get(keyOf(key));
    if (!registered) return undefined;
    const { revision, tools } = registered;
    if (revision === known) return 'unchanged';
    return { revision, pins: [...tools.values()].map(({ origin: _origin, ...pin }) => structuredClone(pin)) };
  }

  override async origins(key: SourceKey, tools?: readonly string[]): Promise<ReadonlyMap<string, JsonObject>> {
    const all = [...(this.#sources.get(keyOf(key))?.tools.values() ?? [])];
    const wanted = tools && new Set(tools);
    const found = all.filter(({ tool, listed }) => (wanted ? wanted.has(tool) : listed));
    return new Map(found.map(({ tool, origin }) => [tool, structuredClone(origin)]));
  }

  override async register(key: SourceKey, tools: readonly AcceptedTool[]): Promise<void> {
    if (this.#sources.peek(keyOf(key))) return;
    const known = tools.map((each) => [each.tool, structuredClone(each)] as const);
    this.#sources.set(keyOf(key), { revision: ++this.#revision, tools: new Map(known) });
  }

  override async change(key: SourceKey, { accepted, gone }: PinChange, keepGone = KEEP_GONE): Promise<void> {
    const next = new Map(this.#sources.get(keyOf(key))?.tools);
    for (const each of accepted) next.set(each.tool, structuredClone(each));
    for (const name of gone) {
      const pinned = next.get(name);
      if (pinned) next.set(name, { ...pinned, listed: false });
    }
    const unlisted = [...next.values()].filter(({ listed }) => !listed);
    const oldestFirst = unlisted.toSorted((a, b) => a.acceptedAt - b.acceptedAt || (a.tool < b.tool ? -1 : 1));
    for (const { tool } of oldestFirst.slice(0, Math.max(0, unlisted.length - keepGone))) next.delete(tool);
    this.#sources.set(keyOf(key), { revision: ++this.#revision, tools: next });
  }

  override async forget(key: SourceKey): Promise<void> {
    this.#sources.delete(keyOf(key));
  }
}

function keyOf({ owner, source }: SourceKey): string {
  return JSON.stringify([owner, source]);
}
