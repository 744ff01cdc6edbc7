import { type CanActivate, type ExecutionContext, Injectable, UnauthorizedException } from '@nestjs/common';
import type { ToolContext } from '@tool-search/core';

/** In your application, users come from your identity provider. */
const USERS = new Map<string, ToolContext>([
  ['ada-token', { tenantId: 'acme', userId: 'ada', sessionId: 'ada', roles: ['pro'] }],
  ['bob-token', { tenantId: 'acme', userId: 'bob', sessionId: 'bob', roles: [] }],
  ['hank-token', { tenantId: 'globex', userId: 'hank', sessionId: 'hank', roles: [] }],
  // An operator: may use the routes of `ToolAdminModule`.
  ['olga-token', { tenantId: 'acme', userId: 'olga', roles: [], admin: true }],
]);

/** A request after the guard. The same on Express and Fastify. */
export interface SignedInRequest {
  readonly headers: { readonly authorization?: string };
  user?: ToolContext;
}

/** Authenticates a request by its token and stores the user. */
@Injectable()
export class SignedIn implements CanActivate {
  canActivate(execution: ExecutionContext): boolean {
    const request = execution.switchToHttp().getRequest<SignedInRequest>();
    const user = USERS.get(/^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '');
    if (!user) throw new UnauthorizedException();
    request.user = user;
    return true;
  }
}

/** `context: userOf` in the options of `ToolSearchModule`. `undefined` is answered with 401. */
export const userOf = ({ user }: SignedInRequest) => user;
