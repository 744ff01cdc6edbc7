/** Injection token of the checked options. */
export const GATEWAY_SETTINGS = Symbol('GATEWAY_SETTINGS');

/** Marks the classes that serve MCP: `ToolGatewayController` and those that extend it. */
export const MCP_ENDPOINT = Symbol('MCP_ENDPOINT');
