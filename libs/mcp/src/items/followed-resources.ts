import { isToolSearchError, ToolSearchError } from '@tool-search/core';
import { TenantShares } from '@tool-search/core/internal';
import type { Access } from '../connection/credentials.js';

/** Resources that one source follows, over all callers. One tenant alone takes half of them. */
const MAX_FOLLOWED = 2000;
/** Milliseconds in which several updates of a resource count as one. */
const SETTLE_MS = 100;
const MIN_WAIT_MS = 1_000;
const MAX_WAIT_MS = 60_000;

/** A resource that a server is asked to report on, over one connection. */
export interface Following {
  /** Resolves when the server reports no longer. */
  readonly lost: Promise<void>;
  /** Asks the server to stop. Never throws. */
  end(): void;
}

/** Asks a server to report updates of a resource. Undefined if it cannot. */
export type Follow = (access: Access, uri: string, updated: () => void) => Promise<Following | undefined>;

/** The credentials of now. They may have changed since a resource was followed first, or be gone. */
export type AccessNow = () => Promise<Access>;

interface Followed {
  /** Whose share it takes: a tenant of one of the listeners. */
  tenantId: string;
  /** Each with its tenant. */
  readonly listeners: Map<() => void, string>;
  following: Promise<Following | undefined>;
  pending: NodeJS.Timeout | undefined;
  retry: NodeJS.Timeout | undefined;
  isOver: boolean;
}

/**
 * The resources that a source follows: each once for all callers with the same credentials. After a lost connection
 * it is followed again, with increasing delays, and counts as updated, because reports may have been missed.
 */
export class FollowedResources {
  readonly #followed = new Map<string, Followed>();
  readonly #shares: TenantShares;

  constructor(
    private readonly follow: Follow,
    max = MAX_FOLLOWED,
  ) {
    this.#shares = new TenantShares(max);
  }

  /**
   * Returns the function that ends it.
   *
   * @throws ToolSearchError `RATE_LIMITED` for a tenant that follows its share; what `access` and `follow` throw
   */
  async add(tenantId: string, access: AccessNow, uri: string, updated: () => void): Promise<() => void> {
    const key = JSON.stringify([(await access()).holder, uri]);
    const followed = this.#followed.get(key) ?? this.#begun(key, tenantId, access, uri);
    // Wrapped, so that the same function can be registered twice.
    const listener = () => updated();
    followed.listeners.set(listener, tenantId);
    const end = () => {
      if (!followed.listeners.delete(listener)) return;
      if (followed.listeners.size === 0) this.#end(key, followed);
      else this.#passOn(followed);
    };
    try {
      await followed.following;
    } catch (error) {
      end();
      throw error;
    }
    return end;
  }

  close(): void {
    for (const [key, followed] of this.#followed) this.#end(key, followed);
  }

  #begun(key: string, tenantId: string, access: AccessNow, uri: string): Followed {
    if (!this.#shares.hasRoom(tenantId)) {
      const held = this.#shares.heldBy(tenantId);
      throw new ToolSearchError(
        'RATE_LIMITED',
        `The source follows ${held} resources of this tenant, which is its share.`,
      );
    }
    const followed: Followed = {
      tenantId,
      listeners: new Map(),
      following: Promise.resolve(undefined),
      pending: undefined,
      retry: undefined,
      isOver: false,
    };
    this.#followed.set(key, followed);
    this.#shares.take(tenantId);
    followed.following = this.#followOn(key, followed, access, uri, MIN_WAIT_MS);
    return followed;
  }

  async #followOn(
    key: string,
    followed: Followed,
    access: AccessNow,
    uri: string,
    waitMs: number,
  ): Promise<Following | undefined> {
    const following = await this.follow(await access(), uri, () => updated(followed));
    if (followed.isOver) following?.end();
    else void following?.lost.then(() => this.#again(key, followed, access, uri, waitMs));
    return following;
  }

  #again(key: string, followed: Followed, access: AccessNow, uri: string, waitMs: number): void {
    if (followed.isOver) return;
    followed.retry = setTimeout(() => {
      const next = Math.min(waitMs * 2, MAX_WAIT_MS);
      followed.following = this.#followOn(key, followed, access, uri, next);
      followed.following.then(
        () => updated(followed),
        (error: unknown) => {
          // The user has been disconnected: nothing is followed for them until they connect and subscribe again.
          if (isToolSearchError(error) && error.code === 'CREDENTIALS_REQUIRED') this.#end(key, followed);
          else this.#again(key, followed, access, uri, next);
        },
      );
    }, waitMs).unref();
  }

  /** Lets a resource count to another tenant when nobody of its own follows it any more. */
  #passOn(followed: Followed): void {
    const tenants = new Set(followed.listeners.values());
    const [next] = tenants;
    if (next === undefined || tenants.has(followed.tenantId) || this.#followed.size === 0) return;
    this.#shares.giveBack(followed.tenantId);
    this.#shares.take(next);
    followed.tenantId = next;
  }

  #end(key: string, followed: Followed): void {
    if (this.#followed.get(key) === followed) {
      this.#followed.delete(key);
      this.#shares.giveBack(followed.tenantId);
    }
    followed.isOver = true;
    clearTimeout(followed.pending);
    clearTimeout(followed.retry);
    void followed.following.then(
      (following) => following?.end(),
      () => undefined,
    );
  }
}

function updated(followed: Followed): void {
  if (followed.isOver || followed.pending) return;
  followed.pending = setTimeout(() => {
    followed.pending = undefined;
    for (const listener of followed.listeners.keys()) listener();
  }, SETTLE_MS).unref();
}
