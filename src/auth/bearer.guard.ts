import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { ToolSearchError } from '@tool-search/core';
import type { UserLookup } from './demo-tokens.js';

export const USER_LOOKUP = Symbol('USER_LOOKUP');

/** Accepts requests with a known bearer token and sets `request.user`. Stands in for an application's own guard. */
@Injectable()
export class BearerGuard implements CanActivate {
  constructor(@Inject(USER_LOOKUP) private readonly userOf: UserLookup) {}

  canActivate(execution: ExecutionContext): boolean {
    const request = execution.switchToHttp().getRequest<{ headers: { authorization?: string }; user?: unknown }>();
    const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    const user = token === undefined ? undefined : this.userOf(token);
    if (!user) {
      throw new ToolSearchError('UNAUTHENTICATED', 'This request carries no valid bearer token.', {
        hint: 'Send "Authorization: Bearer <token>"; .env.example has demo tokens.',
      });
    }
    request.user = user;
    return true;
  }
}
