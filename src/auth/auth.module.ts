import { Module } from '@nestjs/common';
import { type Environment, environment } from '../settings/environment.js';
import { BearerGuard, USER_LOOKUP } from './bearer.guard.js';
import { demoTokens } from './demo-tokens.js';

@Module({
  providers: [
    BearerGuard,
    { provide: USER_LOOKUP, inject: [environment.KEY], useFactory: (env: Environment) => demoTokens(env.DEMO_TOKENS) },
  ],
  exports: [BearerGuard, USER_LOOKUP],
})
export class AuthModule {}
