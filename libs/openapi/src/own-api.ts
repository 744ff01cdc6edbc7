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
   * Headers of the user's own request that are passed on, for example `authorization`. Called for each call.
   *
   * @default no headers: guards see an anonymous caller
   */
  readonly headers?: Extract<HeadersOption, (...args: never[]) => unknown>;
  /** Operations that do not become tools, in addition to {@link toolRoutes}. */
  readonly exclude?: readonly OperationSelector[];
  /**
   * Globs over the paths of routes for toolbox, operators and chats. They are left out, because through them a tool
   * could call other tools.
   *
   * @default routes of controllers that use a toolbox or a decision about tools, directly or through injected services;
   * and any path with a segment `toolbox`, `chat` or `admin`
   */
  readonly toolRoutes?: readonly string[];
}

const TOOL_ROUTES = ['toolbox', 'chat', 'admin'].flatMap((name) => [`*/${name}`, `*/${name}/*`]);

/**
 * Exposes the application's own controllers as tools, one per operation of its Swagger document. Calls are HTTP
 * requests to the application's own port, through its middleware, guards and pipes. Routes of the tools themselves are
 * left out, and so are operations with `@ApiExtension('x-tool-search', false)`. Can be called before or after
 * `listen()`; tool calls before `listen()` fail with `SOURCE_UNAVAILABLE`.
 *
 * Security: calls come from this machine. An application that trusts local callers trusts everyone who may call these
 * tools.
 *
 * @param document the result of `SwaggerModule.createDocument(app, config)`
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
  // A catalog without sources is filled when the application has booted.
  if (catalog.sources().length > 0) await catalog.add(source);
  else app.get(ToolSearchService, { strict: false }).register([source]);
  return source;
}

// Without such routes the filter would be reported as unused.
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
