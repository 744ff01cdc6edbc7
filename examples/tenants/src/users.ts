import { type CanActivate, type ExecutionContext, Injectable, UnauthorizedException } from '@nestjs/common';
import type { ToolContext } from '@tool-search/core';
import type { Request } from 'express';

/** In your application, users come from your identity provider. */
const USERS: Record<string, ToolContext> = {
  'acme-token': { tenantId: 'acme', userId: 'olga', sessionId: 'olga', roles: ['pro'] },
  'globex-token': { tenantId: 'globex', userId: 'hank', sessionId: 'hank', roles: ['free'] },
  'operator-token': { tenantId: 'acme', userId: 'ada', roles: [], admin: true },
};

export type SignedInRequest = Request & { user?: ToolContext };

/** Authenticates a request by its token and stores the user. */
@Injectable()
export class SignedIn implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<SignedInRequest>();
    request.user = USERS[/^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''];
    if (!request.user) throw new UnauthorizedException();
    return true;
  }
}
