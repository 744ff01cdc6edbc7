import { applyDecorators, Get, Inject, Injectable, SetMetadata } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

interface FastifyRoute {
  readonly method: string | readonly string[];
  readonly url: string;
  readonly config?: { readonly [HAS_SLASH]?: true };
}

interface FastifyLike {
  addHook(name: 'onRoute', hook: (route: FastifyRoute) => void): void;
  route(route: FastifyRoute): void;
}

const HAS_SLASH = 'toolSearchConsole';

/** Where Nest's decorator `@RouteConfig()` of `@nestjs/platform-fastify` stores its value. */
const ROUTE_CONFIG = '__fastify_route_config__';

/** Like `@Get()`, and on Fastify also for the path with a slash at its end, which is another route there. */
export function GetWithSlash(): MethodDecorator {
  return applyDecorators(Get(), SetMetadata(ROUTE_CONFIG, { [HAS_SLASH]: true }));
}

/** Registers the second route on Fastify, with the guards and prefix of the first. */
@Injectable()
export class SlashRoute {
  constructor(@Inject(HttpAdapterHost) host: HttpAdapterHost) {
    // A testing module gets its adapter after its providers were created.
    if (host.httpAdapter) attach(host.httpAdapter);
    else host.init$.subscribe(() => host.httpAdapter && attach(host.httpAdapter));
  }
}

/** Instances with the hook: an application may have several consoles, and each route needs one second route. */
const attached = new WeakSet<object>();

function attach(adapter: HttpAdapterHost['httpAdapter']): void {
  if (adapter.getType() !== 'fastify') return;
  const instance = adapter.getInstance<FastifyLike>();
  if (attached.has(instance)) return;
  attached.add(instance);
  instance.addHook('onRoute', (route) => {
    // Fastify itself adds a route for HEAD to each for GET.
    if (route.method !== 'GET' || !route.config?.[HAS_SLASH] || route.url.endsWith('/')) return;
    instance.route({ ...route, url: `${route.url}/` });
  });
}
