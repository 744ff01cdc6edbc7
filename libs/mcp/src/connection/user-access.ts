import { isToolSearchError, type ToolContext, ToolSearchError } from '@tool-search/core';
import type { UserTokens } from '@tool-search/core/internal';
import { isUnauthorized } from '../errors/error-kinds.js';
import type { McpListAsOptions } from '../oauth/oauth-options.js';
import { orAborted } from './connection-pool.js';
import { type Access, digestOf, SHARED } from './credentials.js';

interface Parts {
  readonly source: string;
  /** The access without a user's token: for listing, and for what a call sends beside the token. */
  readonly base: (context: ToolContext | undefined) => Promise<Access>;
  readonly isPerUser: boolean;
  readonly listAs: McpListAsOptions | undefined;
  /** Called when a caller has no account: a connection that the caller may still have is closed. */
  readonly disconnected: (holder: string) => void;
}

/** The access of each caller, with the caller's own token where the source has `auth: 'user'`. */
export class UserAccess {
  #tokens: UserTokens | undefined;

  constructor(private readonly parts: Parts) {}

  /** @param listed called when the user whose account lists the tools has connected */
  use(tokens: UserTokens, listed: () => void): void {
    this.#tokens = tokens;
    const { listAs } = this.parts;
    tokens.onConnected((user) => {
      if (user.tenantId === listAs?.tenantId && user.userId === listAs.userId) listed();
    });
  }

  /** Runs with the access of a caller, and once more with another token if the server does not accept the first. */
  async run<T>(
    context: ToolContext | undefined,
    signal: AbortSignal,
    work: (access: Access) => Promise<T>,
  ): Promise<T> {
    const access = await this.of(context, signal);
    try {
      return await work(access);
    } catch (error) {
      if (access.token === undefined || !isUnauthorized(error)) throw error;
      return work(await this.of(context, signal, access.token));
    }
  }

  /**
   * @param context undefined while tools are listed
   * @param rejected a token that the server did not accept
   * @throws ToolSearchError `CREDENTIALS_REQUIRED` and others of {@link UserTokens.token}
   */
  async of(context: ToolContext | undefined, signal: AbortSignal, rejected?: string): Promise<Access> {
    const { base, isPerUser, listAs, disconnected, source } = this.parts;
    const access = await orAborted(base(context), signal);
    const user = context ?? listAs;
    if (!isPerUser || !user) return access;
    if (!this.#tokens) {
      throw new ToolSearchError('INVALID_CONFIGURATION', `${source} has auth: 'user' and was given no users.`, {
        hint: 'Add it to the sources of ToolSearchModule, which has the option userCredentials. A source of one request cannot have it.',
      });
    }
    const holder = context ? holderOf(context) : SHARED;
    const tenantId = context?.tenantId ?? '';
    try {
      return withToken(access, { holder, tenantId }, await this.#tokens.token(user, signal, rejected));
    } catch (error) {
      if (isToolSearchError(error) && error.code === 'CREDENTIALS_REQUIRED') disconnected(holder);
      throw error;
    }
  }
}

function withToken(access: Access, whose: Pick<Access, 'holder' | 'tenantId'>, token: string): Access {
  if (!('url' in access.endpoint)) return access;
  const others = Object.entries(access.endpoint.headers).filter(([name]) => name.toLowerCase() !== 'authorization');
  const headers = { ...Object.fromEntries(others), authorization: `Bearer ${token}` };
  return { endpoint: { ...access.endpoint, headers }, ...whose, digest: digestOf(headers), token };
}

function holderOf({ tenantId, userId }: ToolContext): string {
  return JSON.stringify([tenantId, userId ?? null]);
}
