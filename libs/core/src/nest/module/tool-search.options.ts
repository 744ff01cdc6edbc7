import type { ExecutionContext, Type } from '@nestjs/common';
import type { ToolVisibilityPolicy } from '../../access/visibility-policy.js';
import type { ToolPolicy } from '../../access/policies/tool-policy.js';
import type { ToolboxOptions } from '../../exposure/assemble-toolbox-services.js';
import type { ToolContext } from '../../tool/tool-context.js';
import type { ToolSource } from '../../tool/tool-source.js';

/** A source as a value, or the class of a provider that implements it. */
export type SourceOption = ToolSource | Type<ToolSource>;

type MaybePromise<T> = T | Promise<T>;

/** Options of `ToolSearchModule.forRoot`. */
export interface ToolSearchModuleOptions extends ToolboxOptions {
  /**
   * Returns the caller's context. It runs after the handler's guards. `request` is the HTTP request, in GraphQL the
   * `req` of its context, in a gateway the client, in a microservice `{ pattern, data, context }`; docs/guides/transports.md
   * has the table. `execution` is undefined when the toolbox was injected and no decorator of this library has run
   * before.
   *
   * Undefined means an unauthenticated caller: 401. An `HttpException` with status 400, 403, 404 or 429 keeps its
   * status, and one with any other status below 500 becomes 401. A `ToolSearchError` is passed on. Any other error is
   * logged and becomes 503 `CONTEXT_UNAVAILABLE`.
   */
  // Applications declare their own request type; `any` permits `(request: Request) => …`.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly context: (request: any, execution?: ExecutionContext) => MaybePromise<ToolContext | undefined>;
  /** Sources of tools in addition to `@Tool()` methods. @default [] */
  readonly sources?: readonly SourceOption[];
  /** Static limits for all callers. @default none */
  readonly policy?: ToolPolicy;
  readonly visibility?: ToolboxOptions['visibility'] & {
    /** Policies without which the boot fails. @default none; a policy that no module provides only logs a warning */
    readonly required?: readonly Type<ToolVisibilityPolicy>[];
  };
}
