import type { Toolbox, ToolContext } from '@tool-search/core';
import type { ExposedKind } from '@tool-search/core/internal';
import type { Endpoint } from './endpoint.js';

/** One request to the gateway, or one message of a connection without HTTP: its caller, with the tools that it may use. */
export interface GatewayRequest {
  readonly endpoint: Endpoint;
  /** Whether the client speaks a revision before 2026-07-28. */
  readonly isLegacy: boolean;
  /** Whether the client has announced that it is a host of MCP Apps. */
  readonly announcesApps: boolean;
  readonly context: ToolContext;
  readonly principal: string;
  readonly toolbox: Toolbox;
  /** Of the JSON-RPC message in an HTTP request; undefined for GET and DELETE. */
  readonly method: unknown;
  /** Whether no whole number was rounded when the text of the message was parsed. */
  readonly exactNumbers: boolean;
  /** Of the server, for a request that asks for them. */
  readonly instructions?: string;
  /** What the caller's sources may have beside tools; set where a server is made for the request. */
  readonly kinds?: ReadonlySet<ExposedKind>;
  /**
   * The request with its caller's rights as of now, for work that goes on long after it was let in.
   *
   * @throws what a guard or the `context` option throws, and an Error where it names another caller now
   */
  readonly again: () => Promise<GatewayRequest>;
  /**
   * The request at its endpoint as of now, where operators may have changed the profile. Asks no guards.
   *
   * @throws ToolSearchError or RpcRefusal for a profile that is gone, and as the `context` option
   */
  readonly atEndpoint: () => Promise<GatewayRequest>;
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
