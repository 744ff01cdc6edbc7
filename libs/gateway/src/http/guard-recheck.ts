import { ServerResponse, type IncomingMessage } from 'node:http';
import { type ExecutionContext, Inject, Injectable, type Type } from '@nestjs/common';
import { ExternalContextCreator, ModuleRef } from '@nestjs/core';

type Handler = (...args: unknown[]) => unknown;

/** Runs the guards of a handler again, for streams that stay open long after their request was let in. */
@Injectable()
export class GuardRecheck {
  readonly #checks = new WeakMap<Type, Map<Handler, Handler>>();

  constructor(
    @Inject(ModuleRef) private readonly modules: ModuleRef,
    @Inject(ExternalContextCreator) private readonly contexts: ExternalContextCreator,
  ) {}

  /** @throws what the guard throws; ForbiddenException where it returns false */
  async run(execution: ExecutionContext): Promise<void> {
    const [request, response, next] = execution.getArgs<unknown[]>();
    const check = this.#checkOf(execution.getClass(), execution.getHandler() as Handler);
    await check(request, withoutHeaders(response), next);
  }

  #checkOf(type: Type, handler: Handler): Handler {
    const known = this.#checks.get(type) ?? new Map<Handler, Handler>();
    this.#checks.set(type, known);
    let check = known.get(handler);
    if (!check) {
      const guarded = () => undefined;
      // Guards read the metadata of the handler.
      for (const key of Reflect.getMetadataKeys(handler)) {
        Reflect.defineMetadata(key, Reflect.getMetadata(key, handler), guarded);
      }
      const only = { guards: true, interceptors: false, filters: false };
      const instance = this.modules.get<object>(type, { strict: false });
      check = this.contexts.create(
        instance as never,
        guarded,
        handler.name,
        undefined,
        undefined,
        undefined,
        undefined,
        only,
        'http',
      );
      known.set(handler, check);
    }
    return check;
  }
}

/** A guard may set headers, which have been sent already: on Express it gets a response that leads nowhere. */
function withoutHeaders(response: unknown): unknown {
  if (!(response instanceof ServerResponse)) return response;
  const detached: object = new ServerResponse(response.req as IncomingMessage);
  return Object.setPrototypeOf(detached, Object.getPrototypeOf(response) as object);
}
