import { ConsoleLogger, Controller, Module, UseGuards } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { StdioGateway, ToolGatewayController, ToolGatewayModule } from '@tool-search/gateway';
import { AppModule } from './app.module.js';
import { SignedIn } from './signed-in.guard.js';

// #region gateway
@Module({
  imports: [ToolGatewayModule.forRoot({ path: 'mcp', guards: [SignedIn] })], // your own authentication
})
export class McpModule {} // POST /mcp: tool_search, tool_get, tool_call and the tools that are always loaded
// #endregion gateway

// #region gateway-profiles
export const gateway = ToolGatewayModule.forRoot({
  path: 'mcp',
  guards: [SignedIn],
  profiles: {
    support: { allow: ['billing.*', 'crm.*'], deny: ['*.delete_*'], instructions: 'Tools of the support desk.' },
    ci: { requireTags: ['ci'], exposure: 'all', prefix: false },
  },
});
// #endregion gateway-profiles

// #region gateway-oauth
export const protectedGateway = ToolGatewayModule.forRoot({
  path: 'mcp',
  oauth: {
    resource: 'https://tools.example.com/mcp', // what tokens must be issued for
    issuers: ['https://login.example.com'],
    scopes: ['tools'],
    user: ({ sub, tenant, roles }) => (tenant === undefined ? undefined : { id: sub, tenantId: tenant, roles }),
  },
});
// #endregion gateway-oauth

// #region gateway-tokens
export const localGateway = ToolGatewayModule.forRoot({
  path: 'mcp',
  tokens: [{ token: 'my-laptop-0123456789', user: { id: 'ada', tenantId: 'acme', roles: [] } }],
});
// #endregion gateway-tokens

// #region gateway-controller
@Controller({ path: 'agents/mcp', version: '1' })
@UseGuards(SignedIn)
export class AgentsController extends ToolGatewayController {}

@Module({ imports: [ToolGatewayModule.forRoot({})], controllers: [AgentsController] })
export class AgentsModule {}
// #endregion gateway-controller

// #region gateway-stdio
class ToStandardError extends ConsoleLogger {
  protected override printMessages(...[messages, context, level]: Parameters<ConsoleLogger['printMessages']>): void {
    super.printMessages(messages, context, level, 'stderr');
  }
}

@Module({ imports: [AppModule, ToolGatewayModule.forRoot({})] })
class StdioModule {}

export async function main(): Promise<void> {
  const app = await NestFactory.createApplicationContext(StdioModule, { logger: new ToStandardError() });
  app.enableShutdownHooks();
  await app.get(StdioGateway).serve({ tenantId: 'local', userId: 'ada' }).closed;
  await app.close();
}
// #endregion gateway-stdio
