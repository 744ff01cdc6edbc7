import type { Toolbox, ToolContext } from '@tool-search/core';
import type { Endpoint } from './endpoint.js';

/** One HTTP request to the gateway: its caller, with the tools that it may use. */
export interface GatewayRequest {
  readonly endpoint: Endpoint;
  /** Whether the client speaks a revision before 2026-07-28. */
  readonly isLegacy: boolean;
  readonly context: ToolContext;
  readonly principal: string;
  readonly toolbox: Toolbox;
  /** Of the JSON-RPC message; undefined for GET and DELETE. */
  readonly method: unknown;
  /**
   * The request with its caller's rights as of now, for work that goes on long after it was let in.
   *
   * @throws what a guard or the `context` option throws, and an Error where it names another caller now
   */
  readonly again: () => Promise<GatewayRequest>;
}

// The SDK passes the web request on to every handler, also in a session that serves many requests.
const requests = new WeakMap<Request, GatewayRequest>();

/** Makes a request known to the handlers of the SDK. */
export function linkGatewayRequest(web: Request, request: GatewayRequest): void {
  requests.set(web, request);
}

/** The request behind a handler of the SDK. */
export function gatewayRequest(web: Request | undefined): GatewayRequest {
  const request = web && requests.get(web);
  if (!request) throw new Error('A message reached the gateway without its request.');
  return request;
}
