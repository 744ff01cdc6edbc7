import { ServerResponse, type IncomingMessage } from 'node:http';
import { type ExecutionContext, ForbiddenException, Inject, Injectable } from '@nestjs/common';
import { GUARDS_METADATA } from '@nestjs/common/constants.js';
import { ApplicationConfig, ContextIdFactory, ModulesContainer } from '@nestjs/core';
import { GuardsConsumer, GuardsContextCreator } from '@nestjs/core/guards/index.js';

/** Runs the guards of a handler again, for streams that stay open long after their request was let in. */
@Injectable()
export class GuardRecheck {
  readonly #guards: GuardsContextCreator;
  readonly #consumer = new GuardsConsumer();

  constructor(
    @Inject(ModulesContainer) private readonly modules: ModulesContainer,
    @Inject(ApplicationConfig) private readonly config: ApplicationConfig,
  ) {
    // Of the container it reads the modules only. ExternalContextCreator finds no guards of controllers.
    this.#guards = new GuardsContextCreator({ getModules: () => modules } as never, config);
  }

  /** @throws what a guard throws; ForbiddenException where one returns false or cannot be asked again */
  async run(execution: ExecutionContext): Promise<void> {
    const [request, response, next] = execution.getArgs<[object, unknown, unknown]>();
    const type = execution.getClass();
    const handler = execution.getHandler() as (...args: unknown[]) => unknown;
    const [key, module] = [...this.modules].find(([, { controllers }]) => controllers.has(type)) ?? [];
    const controller = module?.controllers.get(type);
    if (key === undefined || !controller) throw new ForbiddenException();
    const host = controller.instance as object;
    // A guard of the request's own scope was created under the id of that request.
    const guards = this.#guards.create(host, handler, key, ContextIdFactory.getByRequest(request), controller.id);
    if (guards.length < this.#countOf(type, handler)) throw new ForbiddenException();
    const args = [request, withoutHeaders(response), next];
    if (!(await this.#consumer.tryActivate(guards, args, host as never, handler, 'http')))
      throw new ForbiddenException();
  }

  /** Number of declared guards: Nest leaves out those that it does not find. */
  #countOf(...declarers: readonly object[]): number {
    const own = declarers.flatMap(
      (each) => (Reflect.getMetadata(GUARDS_METADATA, each) as unknown[] | undefined) ?? [],
    );
    return own.length + this.config.getGlobalGuards().length + this.config.getGlobalRequestGuards().length;
  }
}

/** A guard may set headers, which have been sent already: on Express it gets a response that leads nowhere. */
function withoutHeaders(response: unknown): unknown {
  if (!(response instanceof ServerResponse)) return response;
  const detached: object = new ServerResponse(response.req as IncomingMessage);
  return Object.setPrototypeOf(detached, Object.getPrototypeOf(response) as object);
}
