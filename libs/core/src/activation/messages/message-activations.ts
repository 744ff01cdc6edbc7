import type { ActivationLimits, NewActivation } from '../activation-store.js';
import { MemoryActivationStore } from '../memory-activation-store.js';
import { receiptFor, type ReceiptSeal, toolsInReceipts } from './receipt.js';
import type { OwnedScope } from '../tool-activations.js';

/** Number of texts read, the newest ones; more would not fit any model's context. */
const MAX_TEXTS = 10_000;
/** Maximum number of tools restored from a conversation, in addition to the activation limits. */
const MAX_TOOLS = 1000;

export interface NameReader {
  /** The current name of the tool, visible or not. */
  readonly nameNow: (name: string) => string;
  /** The activation of a tool that may be listed now; undefined for any other name. */
  readonly activationOf: (name: string) => NewActivation | undefined;
}

/**
 * Activations of one toolbox that are kept in conversations: the tools in receipts, and those activated since. They end
 * with the toolbox; the next one reads them from the receipts again.
 */
export class MessageActivations {
  readonly scope: OwnedScope;
  readonly #store = new MemoryActivationStore(1);
  readonly #seal: ReceiptSeal;
  /** Current names of tools that came from a receipt; they are removed when it is gone. */
  readonly #evident = new Set<string>();
  #named: ReadonlySet<string> = new Set();

  /** @param agent distinguishes narrowed toolboxes without a run id; `''` for a toolbox that is not narrowed */
  constructor(
    scope: OwnedScope,
    agent: string,
    private readonly limits: ActivationLimits,
    secret: string,
    private readonly now: () => number,
  ) {
    const { tenantId, userId, ephemeral } = scope;
    // Without a session or run id, the conversation itself is all that the next request shares with this one.
    const whose = ephemeral ? ['conversation', agent] : [scope.scope, scope.scopeId];
    this.#seal = { of: [tenantId, userId, ...whose], secret };
    this.scope = { ...scope, store: this.#store };
  }

  /**
   * Current names of all tools in the receipts read last, including those that may not be listed: they keep their
   * places in the list in case they become available again.
   */
  get named(): ReadonlySet<string> {
    return this.#named;
  }

  /** The receipt for newly activated tools; undefined for an empty list. */
  receipt(activated: readonly string[]): string | undefined {
    if (activated.length === 0) return undefined;
    // They do not depend on a receipt until one is read.
    for (const tool of activated) this.#evident.delete(tool);
    // Sorted as a store lists tools of the same activation time.
    return receiptFor(activated.toSorted(), this.#seal);
  }

  /**
   * Activates the tools named in the conversation's receipts, oldest first, as far as they may be listed and fit the
   * limits. Removes tools whose receipt is gone, and returns their names.
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
    const activeNames = new Set((await this.#store.list(this.scope, 0)).map(({ tool }) => tool));
    const news = new Map(names.flatMap((name) => activationOf(name) ?? []).map((each) => [each.tool, each]));
    const missing = [...news.values()].filter(({ tool }) => !activeNames.has(tool));
    const start = this.now() - missing.length;
    for (const [index, each] of missing.entries()) {
      // One by one with rising times, to list them in this order.
      await this.#store.activate(this.scope, [each], this.limits, start + index, 0);
    }
    for (const name of news.keys()) this.#evident.add(name);
    return given;
  }
}
