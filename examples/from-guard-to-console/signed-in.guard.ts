// #region guard
import { type CanActivate, type ExecutionContext, Injectable, UnauthorizedException } from '@nestjs/common';
import type { ToolContext } from '@tool-search/core';

/** Stands for your users and their tokens: verify a JWT or a session cookie here. */
const USERS = new Map<string, ToolContext>([
  ['ada-token', { tenantId: 'acme', userId: 'ada', roles: ['pro'] }],
  ['bob-token', { tenantId: 'acme', userId: 'bob', roles: [] }],
  ['olga-token', { tenantId: 'acme', userId: 'olga', roles: [], admin: true }], // an operator
]);

/** A request after the guard, on Express and on Fastify. */
export interface SignedInRequest {
  readonly headers: Readonly<Record<string, string | undefined>>;
  user?: ToolContext;
}

@Injectable()
export class SignedInGuard implements CanActivate {
  canActivate(execution: ExecutionContext): boolean {
    const request = execution.switchToHttp().getRequest<SignedInRequest>();
    const user = USERS.get(/^Bearer (.+)$/.exec(request.headers['authorization'] ?? '')?.[1] ?? '');
    if (!user) throw new UnauthorizedException();
    request.user = user;
    return true;
  }
}

/** Who is asking, in which conversation: all that decisions about tools know of a request. */
export function contextOf({ user, headers }: SignedInRequest) {
  return user && { ...user, sessionId: headers['x-session'] };
}
// #endregion guard
