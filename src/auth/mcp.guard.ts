import { type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { type Environment, environment } from '../settings/environment.js';
import { BearerGuard, USER_LOOKUP } from './bearer.guard.js';
import type { UserLookup } from './demo-tokens.js';

/** The guard of the MCP endpoint: with OAuth, the gateway itself has verified the token and set `request.user` before. */
@Injectable()
export class McpGuard extends BearerGuard {
  constructor(
    @Inject(USER_LOOKUP) userOf: UserLookup,
    @Inject(environment.KEY) private readonly env: Environment,
  ) {
    super(userOf);
  }

  override canActivate(execution: ExecutionContext): boolean {
    return this.env.gateway.oauth !== undefined || super.canActivate(execution);
  }
}
