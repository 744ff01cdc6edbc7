import { RpcRefusal } from '../http/rpc-refusal.js';

/** Where a client learns how to get a token, and which scopes it needs. */
export interface Challenge {
  /** @default none: tokens are fixed */
  readonly metadataUrl?: string | undefined;
  readonly scopes: readonly string[];
}

/** No token was sent. RFC 6750, section 3.1: then the challenge names no error. */
export function noToken(challenge: Challenge): RpcRefusal {
  return refusal(401, 'This request carries no bearer token.', challenge);
}

/** The token does not count. @param reason for the client, without quotes and without anything of the token */
export function invalidToken(reason: string, challenge: Challenge): RpcRefusal {
  return refusal(401, reason, challenge, 'invalid_token');
}

/** The token counts, but not for this. */
export function insufficientScope(challenge: Challenge): RpcRefusal {
  return refusal(403, 'The token lacks a scope that is needed here.', challenge, 'insufficient_scope');
}

function refusal(status: 401 | 403, message: string, { metadataUrl, scopes }: Challenge, error?: string): RpcRefusal {
  const parameters = {
    ...(error !== undefined && { error, error_description: message }),
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    ...(metadataUrl !== undefined && { resource_metadata: metadataUrl }),
  };
  const list = Object.entries(parameters).map(([name, value]) => `${name}="${value}"`);
  const hint =
    status === 403
      ? `Ask for a token with these scopes: ${scopes.join(' ')}.`
      : metadataUrl === undefined
        ? 'Send "Authorization: Bearer <token>".'
        : `Send "Authorization: Bearer <token>"; ${metadataUrl} names the authorization server.`;
  return new RpcRefusal(status, -32600, message, status === 401 ? 'UNAUTHENTICATED' : 'FORBIDDEN', hint, {
    'WWW-Authenticate': list.length === 0 ? 'Bearer' : `Bearer ${list.join(', ')}`,
  });
}
