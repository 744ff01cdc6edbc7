// Any new export here becomes public API. Named exports only.
export { listedDeclarations } from './tools/listed-declarations.js';
export { UserConnectionsModule, type UserConnectionsOptions } from './connect/user-connections.module.js';
export { McpSource } from './mcp.source.js';
export type { McpListAsOptions, McpOAuthOptions } from './oauth/oauth-options.js';
export type { McpExposeOptions, McpInputOptions, McpSourceOptions } from './mcp-source-options.js';
export { mcpSourceOptions } from './mcp-source-options.js';
