export { ToolGatewayModule } from './tool-gateway.module.js';
export { ToolGatewayController } from './tool-gateway.controller.js';
export { StdioGateway, type StdioConnection, type StdioOptions } from './stdio/stdio-gateway.js';
export type {
  ApprovalRequest,
  GatewayConfirmOptions,
  GatewayProfile,
  GatewayServerInfo,
  GatewaySessionOptions,
  GatewayStreamOptions,
  ToolGatewayOptions,
  ToolGatewayRoutes,
} from './tool-gateway.options.js';
export { gatewayOptions } from './tool-gateway.options.js';
export { CODE_META_KEY } from './tools/tool-answer.js';
export type { AccessTokenClaims, GatewayJwksOptions, GatewayOAuthOptions, GatewayToken } from './auth/auth-options.js';
