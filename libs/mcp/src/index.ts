// Any new export here becomes public API. Named exports only.
export { listedDeclarations } from './tools/listed-declarations.js';
export { McpSource } from './mcp.source.js';
export type {
  McpCredentials,
  McpHttpServer,
  McpSourceOptions,
  McpSourceSettings,
  McpStdioServer,
  McpVariables,
} from './mcp-source-options.js';
