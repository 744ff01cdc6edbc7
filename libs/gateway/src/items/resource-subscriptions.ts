import { ToolSearchError } from '@tool-search/core';
import type { GatewayRequest } from '../gateway-request.js';
import { unknownResource } from './item-answer.js';

/** Resources that one connection can follow. */
const MAX_RESOURCES = 100;
/** Milliseconds in which several updates of a resource count as one. */
const SETTLE_MS = 100;

interface Followed {
  end: (() => void) | undefined;
  pending: NodeJS.Timeout | undefined;
  isOver: boolean;
}

/** The resources of whose updates one client is notified. */
export class ResourceSubscriptions {
  readonly #followed = new Map<string, Followed>();
  #isClosed = false;

  constructor(private readonly notify: (uri: string) => unknown) {}

  /**
   * Follows a resource that the caller sees.
   *
   * @throws ProtocolError −32602 as for reading it; ToolSearchError `RATE_LIMITED` for more than 100
   */
  async add({ toolbox }: GatewayRequest, uri: string): Promise<void> {
    const found = await toolbox.items.find(uri);
    if (!found) throw unknownResource(uri);
    if (this.#followed.has(uri)) return;
    if (this.#followed.size >= MAX_RESOURCES) {
      throw new ToolSearchError('RATE_LIMITED', `A client can follow ${MAX_RESOURCES} resources.`, {
        hint: 'Unsubscribe from others first.',
      });
    }
    const followed: Followed = { end: undefined, pending: undefined, isOver: this.#isClosed };
    this.#followed.set(uri, followed);
    try {
      followed.end = await toolbox.items.subscribe(found.item.name, uri, () => this.#updated(uri, followed));
    } catch (error) {
      if (this.#followed.get(uri) === followed) this.#followed.delete(uri);
      throw error;
    }
    // It was removed while the source subscribed.
    if (followed.isOver) followed.end();
  }

  remove(uri: string): void {
    const followed = this.#followed.get(uri);
    if (!followed) return;
    this.#followed.delete(uri);
    followed.isOver = true;
    clearTimeout(followed.pending);
    followed.end?.();
  }

  /** Ends all of them, and those that are being added. */
  close(): void {
    this.#isClosed = true;
    for (const uri of this.#followed.keys()) this.remove(uri);
  }

  #updated(uri: string, followed: Followed): void {
    if (followed.isOver || followed.pending) return;
    followed.pending = setTimeout(() => {
      followed.pending = undefined;
      void Promise.resolve(this.notify(uri)).catch(() => undefined);
    }, SETTLE_MS).unref();
  }
}
