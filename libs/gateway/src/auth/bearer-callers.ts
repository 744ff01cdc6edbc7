import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { ToolSearchError } from '@tool-search/core';
import { isObject, withDeadline } from '@tool-search/core/internal';
import { Endpoints } from '../endpoint.js';
import { RpcRefusal } from '../http/rpc-refusal.js';
import { GATEWAY_SETTINGS } from '../tokens.js';
import type { GatewaySettings } from '../tool-gateway.options.js';
import { AccessTokenVerifier, InvalidToken, scopesOf } from './access-token-verifier.js';
import { type Challenge, insufficientScope, invalidToken, noToken } from './challenge.js';
import { KeysUnavailable } from './issuer-keys.js';
import { audienceOf, metadataUrlOf, resourceOf } from './resource-metadata.js';
import { StaticTokens } from './static-tokens.js';

/** Milliseconds in which the application's `user` function has to answer. */
const USER_DEADLINE_MS = 10_000;

/** Finds the caller of a request by its bearer token, where the module's options say who has which. */
@Injectable()
export class BearerCallers implements OnModuleDestroy {
  readonly #verifier: AccessTokenVerifier | undefined;
  readonly #tokens: StaticTokens;

  constructor(
    @Inject(GATEWAY_SETTINGS) private readonly settings: GatewaySettings,
    @Inject(Endpoints) private readonly endpoints: Endpoints,
  ) {
    this.#verifier = settings.oauth && new AccessTokenVerifier(settings.oauth);
    this.#tokens = new StaticTokens(settings.tokens);
  }

  /** Whether callers need a token at all: with neither `oauth` nor `tokens`, the application's own guards decide. */
  get areKnown(): boolean {
    return this.#verifier !== undefined || this.settings.tokens.length > 0;
  }

  /**
   * The caller who may use an endpoint with this `Authorization` header.
   *
   * @param route `''`, `all`, or `p/<profile>`
   * @throws RpcRefusal 401, 403 or 503; ToolSearchError `GATE_CLOSED`
   */
  async callerOf(authorization: string | undefined, route: string): Promise<object> {
    const endpoint = this.endpoints.of(route) ?? this.endpoints.of('');
    const known = endpoint?.route ?? '';
    const { oauth } = this.settings;
    const challenge: Challenge = {
      scopes: endpoint?.scopes ?? [],
      metadataUrl: oauth && metadataUrlOf(resourceOf(oauth.resource, known)),
    };
    const token = /^Bearer +([^\s,]+) *$/i.exec(authorization ?? '')?.[1];
    if (token === undefined) throw noToken(challenge);
    const fixed = this.#tokens.userOf(token);
    if (fixed) return fixed;
    if (!oauth || !this.#verifier) throw invalidToken('The token is not known here.', challenge);
    try {
      const claims = await this.#verifier.verified(token, oauth.audience ?? audienceOf(oauth.resource, known));
      const granted = scopesOf(claims);
      if (challenge.scopes.some((scope) => !granted.has(scope))) throw insufficientScope(challenge);
      const user = await withDeadline(USER_DEADLINE_MS, () => oauth.user(claims));
      if (isObject(user)) return user;
    } catch (error) {
      if (error instanceof InvalidToken) throw invalidToken(error.message, challenge);
      if (error instanceof KeysUnavailable) throw unavailable();
      throw error;
    }
    throw new ToolSearchError('FORBIDDEN', 'The owner of this token has no access here.', {
      hint: 'Ask the operators of this server for access.',
    });
  }

  async onModuleDestroy(): Promise<void> {
    await this.#verifier?.close();
  }
}

function unavailable(): RpcRefusal {
  const message = 'The authorization server cannot be reached now, so no token can be checked.';
  return new RpcRefusal(503, -32603, message, 'CONTEXT_UNAVAILABLE', 'Try again.', { 'Retry-After': '10' });
}
