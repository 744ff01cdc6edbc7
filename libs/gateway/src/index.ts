export { ToolGatewayModule } from './tool-gateway.module.js';
export { ToolGatewayController } from './tool-gateway.controller.js';
export { StdioGateway } from './stdio/stdio-gateway.js';
export type {
  GatewayConfirmOptions,
  GatewayServerInfo,
  ToolGatewayOptions,
  ToolGatewayRoutes,
} from './tool-gateway.options.js';
export { gatewayOptions } from './tool-gateway.options.js';
export type { AccessTokenClaims } from './auth/auth-options.js';
