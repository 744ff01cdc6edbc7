import { Module } from '@nestjs/common';
import { type Environment, environment } from '../settings/environment.js';
import { BearerGuard, USER_LOOKUP } from './bearer.guard.js';
import { demoTokens } from './demo-tokens.js';
import { McpGuard } from './mcp.guard.js';

@Module({
  providers: [
    BearerGuard,
    McpGuard,
    { provide: USER_LOOKUP, inject: [environment.KEY], useFactory: (env: Environment) => demoTokens(env.DEMO_TOKENS) },
  ],
  exports: [BearerGuard, McpGuard, USER_LOOKUP],
})
export class AuthModule {}
