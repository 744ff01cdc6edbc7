import { type CanActivate, Controller, type ExecutionContext, Injectable, Module, UseGuards } from '@nestjs/common';
import { ToolGatewayController, ToolGatewayModule } from '@tool-search/gateway';
import type { SignedInRequest } from './context.js';

@Injectable()
class SignedIn implements CanActivate {
  canActivate(execution: ExecutionContext): boolean {
    return execution.switchToHttp().getRequest<Partial<SignedInRequest>>().user !== undefined;
  }
}

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

// #region gateway-controller
@Controller({ path: 'agents/mcp', version: '1' })
@UseGuards(SignedIn)
export class AgentsController extends ToolGatewayController {}

@Module({ imports: [ToolGatewayModule.forRoot({})], controllers: [AgentsController] })
export class AgentsModule {}
// #endregion gateway-controller
