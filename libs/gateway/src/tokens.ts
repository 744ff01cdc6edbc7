/** Injection token of the checked options. */
export const GATEWAY_SETTINGS = Symbol('GATEWAY_SETTINGS');

/** Injection token of what the module registers under its path; `{}` where that was checked before. */
export const GATEWAY_ROUTES = Symbol('GATEWAY_ROUTES');

/** Marks the classes that serve MCP: `ToolGatewayController` and those that extend it. */
export const MCP_ENDPOINT = Symbol('MCP_ENDPOINT');

/** The session of callers whose context names none: their activations and approvals survive connections. */
export const GATEWAY_SESSION = 'mcp';

/** Metadata of the routes of `ToolGatewayController` besides its path itself: `all`, or `p` for profiles. */
export const GATEWAY_ROUTE = Symbol('GATEWAY_ROUTE');
