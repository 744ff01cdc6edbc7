// Any new export here becomes public API. Named exports only.
export { McpSource } from './mcp.source.js';
export type { McpHttpServer, McpSourceOptions, McpSourceSettings, McpStdioServer } from './mcp-source-options.js';
