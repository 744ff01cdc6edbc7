import type { ActivationLimits, NewActivation } from '../activation-store.js';
import { MemoryActivationStore } from '../memory-activation-store.js';
import { receiptFor, type ReceiptSeal, toolsInReceipts } from './receipt.js';
import type { OwnedScope } from '../owned-scope.js';

/** Texts of a conversation that are read, the newest ones: more would not fit any model. */
const MAX_TEXTS = 10_000;
/** Tools that a conversation can bring back, whatever the limits. */
const MAX_TOOLS = 1000;

/** What the caller's view says of names that a conversation brings. */
export interface NameReader {
  /** The name its tool has today, visible or not. */
  readonly nameNow: (name: string) => string;
  /** The activation of a tool that may be listed now; undefined for any other name. */
  readonly activationOf: (name: string) => NewActivation | undefined;
}

/**
 * The activations of one toolbox where conversations keep them: what their receipts name, and what the toolbox has activated
 * since. Gone with the toolbox; the next one reads them back.
 */
export class MessageActivations {
  /** Where the toolbox's activations are, for whoever lists, activates or revokes. */
  readonly scope: OwnedScope;
  readonly #store = new MemoryActivationStore(1);
  readonly #seal: ReceiptSeal;
  /** Names, as of today, that a receipt has brought: without it they go. */
  readonly #evident = new Set<string>();
  #named: ReadonlySet<string> = new Set();

  /** @param agent tells narrowed toolboxes apart that have no run of their own; `''` for one that is not narrowed */
  constructor(
    scope: OwnedScope,
    agent: string,
    private readonly limits: ActivationLimits,
    secret: string,
    private readonly now: () => number,
  ) {
    const { tenantId, userId, ephemeral } = scope;
    // Where nobody named a session or run, the conversation itself is what the next request has in common with this one.
    const whose = ephemeral ? ['conversation', agent] : [scope.scope, scope.scopeId];
    this.#seal = { of: [tenantId, userId, ...whose], secret };
    this.scope = { ...scope, store: this.#store };
  }

  /**
   * All names, as of today, that the conversation's receipts had when it was read, also of tools that may not be listed: they
   * keep their places, should they come back.
   */
  get named(): ReadonlySet<string> {
    return this.#named;
  }

  /** The receipt of tools that have just been activated; undefined for none. */
  receipt(activated: readonly string[]): string | undefined {
    if (activated.length === 0) return undefined;
    // From now on they stand for themselves, until their receipt is read.
    for (const tool of activated) this.#evident.delete(tool);
    // In the order in which a store lists what came at once.
    return receiptFor(activated.toSorted(), this.#seal);
  }

  /**
   * Takes up what the conversation's receipts name, as far as it may be listed, within the same limits as ever, the oldest
   * first; gives up what a receipt had brought that is not there any more. Returns what it gave up.
   *
   * @param toolResults texts of tool results, oldest first
   */
  async read(toolResults: readonly string[], { nameNow, activationOf }: NameReader): Promise<readonly string[]> {
    const texts = toolResults.slice(-MAX_TEXTS).filter((text) => typeof text === 'string');
    const names = [...new Set(texts.flatMap((text) => toolsInReceipts(text, this.#seal)))].slice(0, MAX_TOOLS);
    const named = (this.#named = new Set(names.map(nameNow)));
    const given = [...this.#evident].filter((name) => !named.has(name));
    for (const name of given) {
      this.#evident.delete(name);
      await this.#store.revoke(this.scope, name);
    }
    const held = new Set((await this.#store.list(this.scope, 0)).map(({ tool }) => tool));
    const news = new Map(names.flatMap((name) => activationOf(name) ?? []).map((each) => [each.tool, each]));
    const missing = [...news.values()].filter(({ tool }) => !held.has(tool));
    const start = this.now() - missing.length;
    for (const [index, each] of missing.entries()) {
      // One after the other, so that they are listed in this order.
      await this.#store.activate(this.scope, [each], this.limits, start + index, 0);
    }
    for (const name of news.keys()) this.#evident.add(name);
    return given;
  }
}
