import { type ExecutionContext, HttpException, HttpStatus, Logger } from '@nestjs/common';
import type { ApplicationConfig, ContextId, ExternalContextCreator, ModuleRef } from '@nestjs/core';
import type { ToolContext } from '../../tool/tool-context.js';
import { isToolSearchError, ToolSearchError } from '../../tool/tool-search.error.js';
import type { ToolCall } from '../../tool/tool-source.js';
import { checkEnhancers, enhancersOf, GUARDS, type ToolMethod } from './tool-enhancers.js';
import { isShared, type ProviderWrapper, resolveIn } from '../module/provider-class.js';
import { contextIdOf, linkedRequest } from '../request/request-link.js';
import { CALLED, INPUT, nestHost, NEST_VERSION, PARAMETERS } from '../module/nest-host.js';

/** One call as guards and interceptors see it. */
export interface ToolExecution {
  readonly input: unknown;
  readonly context: ToolContext;
  readonly call: ToolCall;
}

/** What Nest passes along: as in a route, so that `switchToHttp()` finds the real request; then what makes it a tool. */
type PipelineArguments = [
  request: object | undefined,
  response: object | undefined,
  next: undefined,
  input: unknown,
  context: ToolContext,
  call: ToolCall,
];
type Runnable = (...args: PipelineArguments) => Promise<unknown>;

interface Attempt extends ToolExecution {
  /** Who would be to blame for an error now. */
  phase: 'guards' | 'interceptors' | 'handler';
  readonly instance: object;
  readonly pipes: Runnable;
  /** Nest has taken the input out of the call, to hand it to pipes and method. */
  isInputTaken: boolean;
}

interface Pipeline {
  readonly run: Runnable;
  readonly pipes: Runnable;
}

const attempts = new WeakMap<ToolCall, Attempt>();

/** Stands for an input at boot: Nest takes it out of the call, and nothing else of the pipeline runs. */
const PROBE = Symbol('PROBE');

/**
 * The tool call behind an execution context, for a guard or interceptor that decides by the tool context where there is
 * no HTTP request; undefined when a route is being executed.
 */
export function toolCallOf(execution: ExecutionContext): ToolExecution | undefined {
  const attempt = attemptOf(execution.getArgs<unknown[]>());
  return attempt && { input: attempt.input, context: attempt.context, call: attempt.call };
}

/**
 * Runs tool methods through Nest: global, class and method guards, then interceptors, then pipes on the input, then the
 * method. The execution context is an HTTP one whose request is the linked one or undefined, never a model's arguments.
 */
export class ToolPipeline {
  readonly #logger = new Logger('ToolSearch');
  readonly #callbacks = new Map<ToolMethod, { readonly run: Runnable; readonly pipes: Runnable }>();
  readonly #shared = new Map<ToolMethod, Pipeline>();

  constructor(
    private readonly contexts: ExternalContextCreator,
    private readonly config: ApplicationConfig,
    private readonly moduleRef: ModuleRef,
  ) {}

  /**
   * @throws ToolSearchError `INVALID_CONFIGURATION` when Nest would leave out one of the method's guards, interceptors or
   * pipes, or its input
   */
  async check(tool: ToolMethod): Promise<void> {
    checkEnhancers(tool, this.#scopedGlobals());
    const { pipes } = this.#pipeline(tool);
    const taken = await pipes(undefined, undefined, undefined, PROBE, {} as ToolContext, {} as ToolCall).then(
      () => false,
      (thrown: unknown) => thrown === PROBE,
    );
    if (!taken) throw inputLost(tool);
  }

  /**
   * What the method returns after interceptors. Before the method is entered a refusal is a {@link ToolSearchError}:
   * `TOOL_FORBIDDEN` from a guard, `INVALID_ARGUMENTS` from a pipe; afterwards errors come as they were thrown.
   */
  async run(tool: ToolMethod, { input, context, call }: ToolExecution): Promise<unknown> {
    const link = linkedRequest(context);
    const { pipeline, instance } = await this.#prepare(tool, context);
    const attempt: Attempt = {
      input,
      context,
      call,
      phase: 'guards',
      instance,
      pipes: pipeline.pipes,
      isInputTaken: false,
    };
    attempts.set(call, attempt);
    try {
      return await pipeline.run(link?.request, link?.response, undefined, input, context, call);
    } catch (error) {
      throw this.#refusalOf(tool, attempt, error);
    }
  }

  async #prepare(tool: ToolMethod, context: ToolContext): Promise<{ pipeline: Pipeline; instance: object }> {
    const globals = this.#scopedGlobals();
    if (isShared(tool.host) && globals.length === 0) {
      let pipeline = this.#shared.get(tool);
      if (!pipeline) this.#shared.set(tool, (pipeline = this.#pipeline(tool)));
      return { pipeline, instance: tool.host.instance as object };
    }
    try {
      const contextId = contextIdOf(context, this.moduleRef);
      // Nest builds these for controllers alone.
      await Promise.all(globals.map((wrapper) => resolveIn(contextId, wrapper)));
      const instance = await resolveIn(contextId, tool.host);
      if (!instance) throw new TypeError(`the provider of ${tool.type.name} gave nothing`);
      return { pipeline: this.#pipeline(tool, contextId), instance };
    } catch (error) {
      // Whatever was to be built from the request has none.
      if (linkedRequest(context) || isToolSearchError(error)) throw error;
      this.#report(tool, 'could not be built without a request', error);
      throw forbidden(`${tool.name} works only within a request.`, error);
    }
  }

  #pipeline(tool: ToolMethod, contextId?: ContextId): Pipeline {
    let callbacks = this.#callbacks.get(tool);
    if (!callbacks) this.#callbacks.set(tool, (callbacks = callbacksOf(tool)));
    const host = nestHost(tool);
    const create = (callback: Runnable, name: string, options: { guards: boolean; interceptors: boolean }) =>
      this.contexts.create(
        host,
        callback as (...args: unknown[]) => unknown,
        name,
        PARAMETERS,
        { exchangeKeyForValue: (_type, _data, args: PipelineArguments) => takenInput(args) },
        contextId,
        tool.host.id,
        { ...options, filters: false },
        'http',
      ) as Runnable;
    return {
      run: create(callbacks.run, CALLED(tool), { guards: true, interceptors: true }),
      pipes: create(callbacks.pipes, INPUT(tool), { guards: false, interceptors: false }),
    };
  }

  #scopedGlobals(): readonly ProviderWrapper[] {
    const { config } = this;
    return [
      ...config.getGlobalRequestGuards(),
      ...config.getGlobalRequestInterceptors(),
      ...config.getGlobalRequestPipes(),
    ];
  }

  #refusalOf(tool: ToolMethod, { phase, context }: Attempt, error: unknown): unknown {
    if (phase === 'handler' || isToolSearchError(error)) return error;
    const status = error instanceof HttpException ? error.getStatus() : undefined;
    if (status === HttpStatus.TOO_MANY_REQUESTS) {
      return new ToolSearchError('RATE_LIMITED', `${tool.name} is called too often.`, {
        hint: 'Wait, then call it again.',
        cause: error,
      });
    }
    if (phase === 'guards') {
      if (status === undefined) this.#report(tool, 'was refused: a guard threw', error);
      const where = linkedRequest(context) ? '' : ' There is no request behind it that a guard could check.';
      return forbidden(`A guard of ${tool.name} refused the call.${where}`, error);
    }
    if (status === undefined || status >= 500) return error;
    if (status === HttpStatus.UNAUTHORIZED || status === HttpStatus.FORBIDDEN) {
      return forbidden(`An interceptor or pipe of ${tool.name} refused the call.`, error);
    }
    return new ToolSearchError('INVALID_ARGUMENTS', `A pipe or interceptor of ${tool.name} refused the arguments.`, {
      hint: 'Correct them and call again. You can read its description and input schema with tool_get.',
      cause: error,
    });
  }

  #report(tool: ToolMethod, what: string, error: unknown): void {
    this.#logger.warn(
      `${tool.name} ${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
  }
}

function forbidden(message: string, cause: unknown): ToolSearchError {
  return new ToolSearchError('TOOL_FORBIDDEN', message, {
    hint: 'Use another tool, or tell the user what you may not do.',
    cause,
  });
}

function inputLost({ name, type, method }: ToolMethod): ToolSearchError {
  return new ToolSearchError(
    'INVALID_CONFIGURATION',
    `${type.name}.${method}: NestJS ${NEST_VERSION} does not hand the input of ${name} to its method.`,
    { hint: 'Install a version of @nestjs/core that the README names as tested, and report this one.' },
  );
}

function takenInput(args: PipelineArguments): unknown {
  const input = args[3];
  // Nest hands over what a handler throws as it is, so the probe's mark comes back unchanged; it is no error.
  // oxlint-disable-next-line typescript/only-throw-error
  if (input === PROBE) throw PROBE;
  const attempt = attemptOf(args);
  if (attempt) attempt.isInputTaken = true;
  return input;
}

// Nest reads enhancers from the function it is given and calls it; it stands for the method and carries its metadata.
function callbacksOf(tool: ToolMethod): { readonly run: Runnable; readonly pipes: Runnable } {
  const { type, method } = tool;
  const handler = (type.prototype as Record<string, object>)[method] as object;
  const run = standIn(handler, async (...args) => {
    const attempt = attemptOf(args);
    if (!attempt) throw new TypeError('a tool method was entered without a call');
    const { instance, pipes, context, call } = attempt;
    const input = await pipes(...args);
    if (!attempt.isInputTaken) throw inputLost(tool);
    // Nobody waits any more: the caller has been told that nothing, or something, may have happened.
    call.signal.throwIfAborted();
    attempt.phase = 'handler';
    const own: unknown = (instance as Record<string, unknown>)[method];
    if (typeof own !== 'function') throw new TypeError(`${type.name}.${method} is no method of what provides it`);
    return Reflect.apply(own, instance, [input, context, call]) as unknown;
  });
  // The last guard of all: reached only when every other one has let the call in.
  const admitted = {
    canActivate: (execution: ExecutionContext) => {
      const attempt = attemptOf(execution.getArgs<unknown[]>());
      if (attempt) attempt.phase = 'interceptors';
      return attempt !== undefined;
    },
  };
  Reflect.defineMetadata(GUARDS, [...enhancersOf(GUARDS, handler), admitted], run);
  const pipes = standIn(handler, (async (input: unknown) => input) as Runnable);
  return { run, pipes };
}

function standIn(handler: object, callback: Runnable): Runnable {
  for (const key of Reflect.getMetadataKeys(handler) as unknown[]) {
    Reflect.defineMetadata(key, Reflect.getMetadata(key, handler), callback);
  }
  return Object.defineProperty(callback, 'name', { value: (handler as { name: string }).name });
}

function attemptOf(args: readonly unknown[]): Attempt | undefined {
  const call = args[5];
  return typeof call === 'object' && call !== null ? attempts.get(call as ToolCall) : undefined;
}
