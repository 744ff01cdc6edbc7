import type { AddressInfo, Server } from 'node:net';
import type { INestApplication } from '@nestjs/common';
import { globSet, isObject, ToolCatalog, toolRoutesOf, ToolSearchError, ToolSearchService } from '@tool-search/core';
import { OpenApiSource } from './openapi.source.js';
import type { HeadersOption } from './call/credentials.js';
import type { OpenApiSourceOptions } from './openapi-source-options.js';
import type { OperationSelector } from './operation/operation-filter.js';

/** Options of {@link exposeOwnApi}. */
export interface OwnApiOptions extends Omit<OpenApiSourceOptions, 'name' | 'document' | 'owner' | 'headers' | 'auth'> {
  /** @default 'api' */
  readonly name?: string;
  /**
   * What of the user's own request travels on, for example `authorization`; asked at each call.
   *
   * @default nothing: guards see an anonymous caller
   */
  readonly headers?: Extract<HeadersOption, (...args: never[]) => unknown>;
  /** Operations that do not become tools, besides {@link toolRoutes}. */
  readonly exclude?: readonly OperationSelector[];
  /**
   * Globs over the paths of the routes that serve toolbox, operators and chats: through them a tool could call tools.
   *
   * @default routes of controllers that have a toolbox or a decision about tools injected, however deep, or take one; and any path
   * with a segment `toolbox`, `chat` or `admin`
   */
  readonly toolRoutes?: readonly string[];
}

const TOOL_ROUTES = ['toolbox', 'chat', 'admin'].flatMap((name) => [`*/${name}`, `*/${name}/*`]);

/**
 * Makes the application's own controllers tools, each operation of its Swagger document one. Calls go over HTTP to the port on
 * which the application listens, through its own middleware, guards and pipes. Left out are the routes of the tools themselves and
 * operations with `@ApiExtension('x-tool-search', false)`. Before or after `listen()`; a call before it says `SOURCE_UNAVAILABLE`.
 *
 * Calls come from this machine: an application that trusts such callers trusts everybody who may call these tools.
 *
 * @param document what `SwaggerModule.createDocument(app, config)` returns
 * @throws ToolSearchError `INVALID_CONFIGURATION` for options or a name that cannot be used
 */
export async function exposeOwnApi(
  app: INestApplication,
  document: object,
  options: OwnApiOptions = {},
): Promise<OpenApiSource> {
  const { toolRoutes = [...TOOL_ROUTES, ...toolRoutesOf(app)], exclude = [], headers = () => ({}), ...rest } = options;
  const source = new OpenApiSource({
    name: 'api',
    baseUrl: () => ownAddress(app.getHttpServer() as Server),
    ...rest,
    document,
    headers,
    exclude: [...exclude, ...(hasRoutes(document, toolRoutes) ? [{ paths: toolRoutes }] : [])],
  });
  const catalog = app.get(ToolCatalog, { strict: false });
  // A catalog that has no source yet is filled when the application has booted.
  if (catalog.sources().length > 0) await catalog.add(source);
  else app.get(ToolSearchService, { strict: false }).register([source]);
  return source;
}

// Who has no such routes has made no mistake, so the source is not to warn of them.
function hasRoutes(document: object, globs: readonly string[]): boolean {
  const paths: unknown = 'paths' in document ? document.paths : undefined;
  return isObject(paths) && Object.keys(paths).some(globSet(globs));
}

function ownAddress(server: Server): string {
  const address: AddressInfo | string | null = server.address();
  if (typeof address !== 'object' || address === null) {
    throw new ToolSearchError('SOURCE_UNAVAILABLE', 'The application does not listen on a port.', {
      hint: 'Call listen() first, or set baseUrl.',
    });
  }
  const isAny = address.address === '0.0.0.0' || address.address === '::';
  const host = isAny ? '127.0.0.1' : address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `${'setSecureContext' in server ? 'https' : 'http'}://${host}:${address.port}`;
}
