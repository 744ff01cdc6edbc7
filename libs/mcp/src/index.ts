// Any new export here becomes public API. Named exports only.
export { listedDeclarations } from './tools/listed-declarations.js';
export { UserConnectionsController } from './connect/user-connections.controller.js';
export { UserConnectionsModule, type UserConnectionsOptions } from './connect/user-connections.module.js';
export { McpSource } from './mcp.source.js';
export type { McpListAsOptions, McpOAuthOptions, McpTokenExchangeOptions } from './oauth/oauth-options.js';
export type {
  McpCredentials,
  McpExposeOptions,
  McpHttpServer,
  McpInputOptions,
  McpSourceOptions,
  McpSourceSettings,
  McpStdioServer,
  McpVariables,
} from './mcp-source-options.js';
export { mcpSourceOptions } from './mcp-source-options.js';
