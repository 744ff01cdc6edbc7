import type { AddressInfo, Server } from 'node:net';
import type { INestApplication } from '@nestjs/common';
import { ToolCatalog, ToolSearchError, ToolSearchService } from '@tool-search/core';
import {
  func,
  isObject,
  list,
  object,
  type OptionsOf,
  parseOptions,
  sourceName,
  text,
  toolRoutesOf,
  globSet,
} from '@tool-search/core/internal';
import { OpenApiSource } from './openapi.source.js';
import type { HeadersOption } from './call/credentials.js';
import { type OpenApiSourceOptions, openApiSourceOptions } from './openapi-source-options.js';
import { operationSelector } from './operation/operation-filter.js';

type OwnHeaders = Extract<HeadersOption, (...args: never[]) => unknown>;

const { document: _, owner: __, auth: ___, ...shared } = openApiSourceOptions.shape;
const ownOptions = object({
  /** @default 'api' */
  name: sourceName().default('api'),
  /**
   * Headers of the user's own request that are passed on, for example `authorization`. Called for each call.
   *
   * @default no headers: guards see an anonymous caller
   */
  headers: func<OwnHeaders>().optional(),
  /** Operations that do not become tools, in addition to {@link toolRoutes}. @default [] */
  exclude: list(operationSelector()).default([]),
  /**
   * Globs over the paths of routes for toolbox, operators and chats. They are left out, because through them a tool
   * could call other tools.
   *
   * @default routes of controllers that use a toolbox or a decision about tools, directly or through injected services;
   * and any path with a segment `toolbox`, `chat` or `admin`
   */
  toolRoutes: list(text()).optional(),
});

/** The schema of {@link ExposeControllersOptions}. */
export const exposeControllersOptions = object({ ...shared, ...ownOptions.shape });

/** Options of {@link exposeControllers}. */
export interface ExposeControllersOptions
  extends
    Omit<OpenApiSourceOptions, 'name' | 'document' | 'owner' | 'headers' | 'auth' | 'exclude'>,
    OptionsOf<typeof ownOptions> {}

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
export async function exposeControllers(
  app: INestApplication,
  document: object,
  options: ExposeControllersOptions = {},
): Promise<OpenApiSource> {
  const checked = parseOptions(exposeControllersOptions, options, 'exposeControllers()');
  const { toolRoutes = [...TOOL_ROUTES, ...toolRoutesOf(app)], exclude, headers = () => ({}), ...rest } = checked;
  const source = new OpenApiSource({
    ...rest,
    baseUrl: rest.baseUrl ?? (() => ownAddress(app.getHttpServer() as Server)),
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
