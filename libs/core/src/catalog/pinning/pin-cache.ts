import { withDeadline } from '../../async/deadline.js';
import type { JsonObject } from '../../json/json.js';
import { guardStore } from '../../tool/store-guard.js';
import type { AcceptedTool, DefinitionPin, DefinitionStore, PinChange, SourceKey } from './definition-store.js';

const STORE_TIMEOUT_MS = 10_000;

/** One source's pins, read again only after a change. Methods throw `STORE_UNAVAILABLE`, also after 10 s. */
export class PinCache {
  #revision: number | undefined;
  #pins: ReadonlyMap<string, DefinitionPin> | undefined;

  constructor(
    private readonly store: DefinitionStore,
    private readonly key: SourceKey,
  ) {}

  /** By own name; undefined for a source that was never registered. */
  async read(): Promise<ReadonlyMap<string, DefinitionPin> | undefined> {
    const found = await this.#asked(() => this.store.pins(this.key, this.#revision));
    if (found === 'unchanged') return this.#pins;
    this.#revision = found?.revision;
    this.#pins = found && new Map(found.pins.map((pin) => [pin.tool, pin]));
    return this.#pins;
  }

  origins(tools?: readonly string[]): Promise<ReadonlyMap<string, JsonObject>> {
    return this.#asked(() => this.store.origins(this.key, tools));
  }

  register(tools: readonly AcceptedTool[]): Promise<void> {
    return this.#asked(() => this.store.register(this.key, tools));
  }

  change(change: PinChange): Promise<void> {
    return this.#asked(() => this.store.change(this.key, change));
  }

  #asked<T>(work: () => Promise<T>): Promise<T> {
    return guardStore('The accepted definitions', () => withDeadline(STORE_TIMEOUT_MS, work), {
      hint: 'The last good tools stay. It is tried again by itself; look at the definition store.',
      passes: () => true,
    });
  }
}
