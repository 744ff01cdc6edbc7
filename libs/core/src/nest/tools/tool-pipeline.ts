import { type ExecutionContext, HttpException, HttpStatus, Logger } from '@nestjs/common';
import type { ApplicationConfig, ContextId, ExternalContextCreator, ModuleRef } from '@nestjs/core';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { ToolContext } from '../../tool/tool-context.js';
import { isToolSearchError, ToolSearchError } from '../../tool/tool-search.error.js';
import type { ToolCall } from '../../tool/tool-source.js';
import { checkEnhancers, enhancersOf, GUARDS, type ToolMethod } from './tool-enhancers.js';
import { isShared, type ProviderWrapper, resolveIn } from '../module/provider-class.js';
import { contextIdOf, linkedRequest } from '../request/request-link.js';
import { CALLED, INPUT, nestHost, NEST_VERSION, PARAMETERS } from '../module/nest-host.js';

export interface ToolExecution {
  readonly input: unknown;
  readonly context: ToolContext;
  readonly call: ToolCall;
}

/** One tool call, with what else its caller could call. */
export interface GuardedExecution extends ToolExecution {
  /** All tools that the caller may use now, in catalog order; empty outside a toolbox. */
  availableTools(): Promise<readonly ToolDefinition[]>;
}

/** Arguments passed through Nest: first those of a route, so that `switchToHttp()` works, then those of the call. */
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
  phase: 'guards' | 'interceptors' | 'handler';
  readonly instance: object;
  readonly pipes: Runnable;
  /** Nest has extracted the input and passed it to pipes and method. */
  isInputTaken: boolean;
}

interface Pipeline {
  readonly run: Runnable;
  readonly pipes: Runnable;
  readonly guards: Runnable;
}

const attempts = new WeakMap<ToolCall, Attempt>();

/** Input of the check at boot: Nest only extracts it, and no enhancer or method runs. */
const PROBE = Symbol('PROBE');

/**
 * The tool call of an execution context, for guards and interceptors that decide by the tool context when there is no
 * HTTP request; undefined in a route.
 */
export function toolCallOf(execution: ExecutionContext): GuardedExecution | undefined {
  const attempt = attemptOf(execution.getArgs<unknown[]>());
  if (!attempt) return undefined;
  const { input, context, call } = attempt;
  return { input, context, call, availableTools: async () => (await call.availableTools?.()) ?? [] };
}

/**
 * Runs tool methods through Nest: global, class and method guards, then interceptors, then pipes on the input, then the
 * method. The execution context is of type `http`; its request is the linked one or undefined, never a model's
 * arguments.
 */
export class ToolPipeline {
  readonly #logger = new Logger('ToolSearch');
  readonly #callbacks = new Map<ToolMethod, Pipeline>();
  readonly #shared = new Map<ToolMethod, Pipeline>();

  constructor(
    private readonly contexts: ExternalContextCreator,
    private readonly config: ApplicationConfig,
    private readonly moduleRef: ModuleRef,
  ) {}

  /**
   * @throws ToolSearchError `INVALID_CONFIGURATION` when Nest would skip one of the method's guards, interceptors or
   *   pipes, or lose its input
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
   * Returns the method's result after interceptors. Before the method starts, a refusal becomes a
   * {@link ToolSearchError}: `TOOL_FORBIDDEN` from a guard, `INVALID_ARGUMENTS` from a pipe. Errors of the method
   * itself are not changed.
   */
  run(tool: ToolMethod, execution: ToolExecution): Promise<unknown> {
    return this.#run(tool, execution, 'run');
  }

  /** Runs only the guards of a call. @throws ToolSearchError `TOOL_FORBIDDEN` or `RATE_LIMITED` */
  async admit(tool: ToolMethod, execution: ToolExecution): Promise<void> {
    await this.#run(tool, execution, 'guards');
  }

  async #run(tool: ToolMethod, { input, context, call }: ToolExecution, part: 'run' | 'guards'): Promise<unknown> {
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
      return await pipeline[part](link?.request, link?.response, undefined, input, context, call);
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
      // Nest resolves request-scoped global enhancers only for controllers.
      await Promise.all(globals.map((wrapper) => resolveIn(contextId, wrapper)));
      const instance = await resolveIn(contextId, tool.host);
      if (!instance) throw new TypeError(`the provider of ${tool.type.name} gave nothing`);
      return { pipeline: this.#pipeline(tool, contextId), instance };
    } catch (error) {
      // Without a request, the failed provider probably depends on one.
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
      guards: create(callbacks.guards, CALLED(tool), { guards: true, interceptors: false }),
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
      hint: ({ get }) =>
        `Correct them and call again.${get === undefined ? '' : ` You can read its description and input schema with ${get}.`}`,
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
  // Nest passes on a thrown value unchanged, so the probe is recognized by identity. It is not an error.
  // oxlint-disable-next-line typescript/only-throw-error
  if (input === PROBE) throw PROBE;
  const attempt = attemptOf(args);
  if (attempt) attempt.isInputTaken = true;
  return input;
}

// Nest reads enhancers from the function it receives and calls it: this function replaces the method and copies its
// metadata.
function callbacksOf(tool: ToolMethod): Pipeline {
  const { type, method } = tool;
  const handler = (type.prototype as Record<string, object>)[method] as object;
  const run = standIn(handler, async (...args) => {
    const attempt = attemptOf(args);
    if (!attempt) throw new TypeError('a tool method was entered without a call');
    const { instance, pipes, context, call } = attempt;
    const input = await pipes(...args);
    if (!attempt.isInputTaken) throw inputLost(tool);
    // The call was cancelled or timed out and its caller has an answer already: the method must not start.
    call.signal.throwIfAborted();
    attempt.phase = 'handler';
    const own: unknown = (instance as Record<string, unknown>)[method];
    if (typeof own !== 'function') throw new TypeError(`${type.name}.${method} is no method of what provides it`);
    return Reflect.apply(own, instance, [input, context, call]) as unknown;
  });
  // The last guard: it runs only when all others have admitted the call.
  const admitted = {
    canActivate: (execution: ExecutionContext) => {
      const attempt = attemptOf(execution.getArgs<unknown[]>());
      if (attempt) attempt.phase = 'interceptors';
      return attempt !== undefined;
    },
  };
  Reflect.defineMetadata(GUARDS, [...enhancersOf(GUARDS, handler), admitted], run);
  const pipes = standIn(handler, (async (input: unknown) => input) as Runnable);
  const guards = standIn(handler, async () => undefined);
  return { run, pipes, guards };
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
