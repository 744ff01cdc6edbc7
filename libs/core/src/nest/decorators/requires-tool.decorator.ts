import {
  applyDecorators,
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  Inject,
  Injectable,
  Logger,
  mixin,
  type NestInterceptor,
  type Type,
  UseFilters,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { finalize, type Observable } from 'rxjs';
import { TransportRefusal, TransportRefusalFilter } from '../request/error.filter.js';
import { incomingOf } from '../request/incoming.js';
import { ToolSearchService } from '../module/tool-search.service.js';
import { isObject } from '../../json/json.js';
import type { WorkOptions } from '../../toolbox/call/hold.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import { globTest, isLegalName } from '../../tool/tool-name.js';
import { isToolSearchError, ToolSearchError } from '../../tool/tool-search.error.js';
import { enhancersOf, GUARDS } from '../tools/tool-enhancers.js';

/**
 * Applies a tool's access decision to an ordinary handler, or to all handlers of a class: a caller that may not call
 * the tool may not call the handler, and a kill switch for the tool also stops the handler. Decorators on class and
 * method add up. The guard that authenticates the caller runs first, wherever it is written on the same class or method, or
 * if it is global. Nest runs guards of the class before those of the method: where this decorator is on the class, put
 * that guard on the class too.
 *
 * A glob, a namespace or a tag requires at least one matching tool that the caller may call. Tools that need no
 * approval are checked first. If all of them need one, the first in the catalog's order is used. One for which a rule on
 * arguments asks for an approval comes before all others.
 *
 * A handled request counts as a call of the tool against its limits (429 with `Retry-After` over HTTP): over HTTP until
 * its response is sent, otherwise until the handler has answered. Reserved tokens and costs stay counted.
 *
 * Rules on arguments and call policies look at what `options.arguments` makes of the request, and may ask for an approval.
 * Without it, a tool that any rule on arguments names or any call policy decides about is refused, and a warning at boot
 * says so.
 *
 * An approval for one call is used up when the handler runs. It is for the arguments that `options.arguments` names; without
 * them for one use of the tool, whatever the request contains.
 *
 * For routes, resolvers, gateways and microservices. Nest runs no guards around jobs and cron tasks: use
 * `toolbox.admit()`.
 *
 * @param required canonical name or alias, glob, `{ namespace }` or `{ tag }`; calls are refused with
 *   `TOOL_NOT_AVAILABLE` while the catalog has no such tool
 * @throws ToolSearchError `INVALID_CONFIGURATION` for a requirement that no tool can match
 */
export function RequiresTool(
  required: ToolRequirement,
  options: RequiresToolOptions = {},
): ClassDecorator & MethodDecorator {
  const tool = toolMatcher(required);
  const text = JSON.stringify(required);
  const enhancers = [
    UseGuards(guardOf(tool, text, options)),
    UseInterceptors(limitsOf(tool, options)),
    UseFilters(TransportRefusalFilter),
  ];
  return applyDecorators(...enhancers);
}

/** How a guarded handler relates to a call of its tool. */
export interface RequiresToolOptions {
  /**
   * The arguments of the tool, from a request of HTTP or a message of a microservice, as the `context` option gets it;
   * before pipes have changed it. `undefined` and null say that they are not known, as in the request of an upload. Not
   * for GraphQL and gateways, whose requests do not have the arguments of one handler: ask in the handler, with
   * `toolbox.admit(name, { arguments })`.
   *
   * @default no arguments are known
   */
  readonly arguments?: (request: never) => unknown;
}

function workOf({ arguments: read }: RequiresToolOptions, execution: ExecutionContext): WorkOptions {
  const hasThem = ['http', 'rpc'].includes(execution.getType<string>());
  return read && hasThem ? { arguments: read(incomingOf(execution).request as never) } : {};
}

const IS_GUARD = Symbol.for('@tool-search/core:requires-tool');

/** Whether a guard was created by `@RequiresTool()`. */
export function isToolGuard(guard: unknown): boolean {
  return typeof guard === 'function' && IS_GUARD in guard;
}

// One guard class per requirement: method metadata would replace class metadata, whereas guards add up.
function guardOf(tool: string | ToolMatcher, text: string, options: RequiresToolOptions): Type<CanActivate> {
  @Injectable()
  class ToolGuard implements CanActivate {
    static readonly [IS_GUARD] = true;
    readonly #warned = new WeakSet<object>();

    constructor(@Inject(ToolSearchService) private readonly service: ToolSearchService) {
      if (typeof tool !== 'string') service.expectMatch(tool);
      if (!options.arguments)
        service.expectNoRules({ text, matches: typeof tool === 'string' ? named(tool) : tool.matches });
    }

    /** @throws ToolSearchError as a call of the tool does: `TOOL_NOT_AVAILABLE`, `APPROVAL_…`, `GATE_CLOSED` */
    async canActivate(execution: ExecutionContext): Promise<boolean> {
      try {
        const toolbox = this.service.forExecution(execution);
        // The interceptor claims an approval for one call, once all guards have let the request pass.
        const work = { ...workOf(options, execution), claims: false };
        await (typeof tool === 'string' ? toolbox.admit(tool, work) : toolbox.admitAny(tool.matches, work));
        return true;
      } catch (error) {
        if (isToolSearchError(error) && error.code === 'UNAUTHENTICATED') this.#tellOfLaterGuards(execution);
        throw refusalOf(error, execution.getType<string>());
      }
    }

    // A guard of the method may say who is asking, and has not run yet if this one is of the class.
    #tellOfLaterGuards(execution: ExecutionContext): void {
      const [type, handler] = [execution.getClass(), execution.getHandler()];
      if (this.#warned.has(handler) || !enhancersOf(GUARDS, type).includes(this.constructor)) return;
      const later = enhancersOf(GUARDS, handler).filter((guard) => !isToolGuard(guard));
      if (later.length === 0) return;
      this.#warned.add(handler);
      new Logger('ToolSearch').warn(
        `${type.name}.${handler.name}: @RequiresTool(${text}) of the class refused a caller whom nobody had named, before guards of ` +
          'the method ran. If one of them says who is asking, put it on the class, or @RequiresTool() on the method',
      );
    }
  }
  return mixin(ToolGuard);
}

/** The refusal for the client of a handler, which has no meta tool to search with. The same for every tool. */
function refusalOf(error: unknown, type: string): unknown {
  const isHidden = isToolSearchError(error) && error.code === 'TOOL_NOT_AVAILABLE';
  const hint = 'You may not do this here, or not now. Operators of this application can find out why.';
  return TransportRefusal.of(
    isHidden ? new ToolSearchError(error.code, 'This is not available.', { hint }) : error,
    type,
  );
}

// After all guards, so that a request that one of them refuses is not counted. It decides anew, on the newest state.
function limitsOf(tool: string | ToolMatcher, options: RequiresToolOptions): Type<NestInterceptor> {
  @Injectable()
  class ToolLimitsInterceptor implements NestInterceptor {
    constructor(@Inject(ToolSearchService) private readonly service: ToolSearchService) {}

    /** @throws ToolSearchError as the guard, and `LIMIT_REACHED` */
    async intercept(execution: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
      const type = execution.getType<string>();
      try {
        const toolbox = this.service.forExecution(execution);
        if (!this.service.hasLimits && !toolbox.owesClaim) return next.handle();
        const required = typeof tool === 'string' ? tool : tool.matches;
        const { end } = await toolbox.hold(required, workOf(options, execution));
        if (type !== 'http') return next.handle().pipe(finalize(() => void end()));
        onceSent(execution.switchToHttp().getResponse(), () => void end());
      } catch (error) {
        throw refusalOf(error, type);
      }
      return next.handle();
    }
  }
  return mixin(ToolLimitsInterceptor);
}

function named(required: string): ToolMatcher['matches'] {
  return ({ name, aliases }) => name === required || aliases.includes(required);
}

interface SentResponse {
  readonly destroyed?: boolean;
  once(event: 'close', listener: () => void): unknown;
}

/** Calls the listener when the response was sent or its connection is gone. Fastify keeps Node's response in `raw`. */
function onceSent(response: SentResponse & { readonly raw?: SentResponse }, listener: () => void): void {
  const sent = response.raw ?? response;
  if (sent.destroyed) listener();
  else sent.once('close', listener);
}

/** One tool by canonical name or alias, or any tool that matches a glob, is in or below a namespace, or has a tag. */
export type ToolRequirement = string | { readonly namespace: string } | { readonly tag: string };

export interface ToolMatcher {
  /** The requirement as written, for messages. */
  readonly text: string;
  readonly matches: (tool: ToolDefinition) => boolean;
}

/** The name of a single required tool, or a matcher for several. @throws ToolSearchError `INVALID_CONFIGURATION` */
export function toolMatcher(required: ToolRequirement): string | ToolMatcher {
  const text = JSON.stringify(required);
  if (typeof required === 'string') {
    if (isLegalName(required)) return required;
    if (!/^[A-Za-z0-9_.*?-]{1,256}$/.test(required) || !/[*?]/.test(required)) throw unusable(text);
    const isNamed = globTest(required);
    return { text, matches: ({ name }) => isNamed(name) };
  }
  const [[kind, value] = [], ...others] = isObject(required) ? Object.entries(required) : [];
  if (typeof value !== 'string' || value === '' || others.length > 0) throw unusable(text);
  if (kind === 'tag') return { text, matches: ({ tags }) => tags.includes(value) };
  if (kind !== 'namespace' || !isLegalName(value)) throw unusable(text);
  return { text, matches: ({ namespace }) => namespace === value || namespace.startsWith(`${value}.`) };
}

function unusable(text: string): ToolSearchError {
  return new ToolSearchError('INVALID_CONFIGURATION', `@RequiresTool(${text}) names no tool.`, {
    hint: 'Give "billing.refund", a glob such as "billing.*", { namespace: "billing" } or { tag: "refund" }.',
  });
}
