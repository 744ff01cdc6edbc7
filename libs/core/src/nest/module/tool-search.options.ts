import type { ExecutionContext, Type } from '@nestjs/common';
import type { ToolVisibilityPolicy } from '../../access/visibility-policy.js';
import type { ToolPolicy } from '../../access/policies/tool-policy.js';
import type { ToolboxOptions } from '../../exposure/assemble-toolbox-services.js';
import type { ToolContext } from '../../tool/tool-context.js';
import type { ToolSource } from '../../tool/tool-source.js';

/** A source as a value, or a provider of the application that implements it. */
export type SourceOption = ToolSource | Type<ToolSource>;

type MaybePromise<T> = T | Promise<T>;

/** Options of `ToolSearchModule.forRoot`. */
export interface ToolSearchModuleOptions extends ToolboxOptions {
  /**
   * Who is asking, after the handler's guards have run. `request` is the HTTP request, in GraphQL the `req` of its context,
   * in a gateway the client, in a microservice `{ pattern, data, context }`; docs/transports.md has the table. `execution`
   * is undefined where the toolbox was injected and no decorator of this library has run before.
   *
   * Undefined, or an `UnauthorizedException`, means nobody: 401. Other client errors (`HttpException` below 500) keep their
   * meaning. Whatever else is thrown is logged and answered with 503 `CONTEXT_UNAVAILABLE`.
   */
  // Applications type their own request; `any` keeps `(request: Request) => …` legal.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly context: (request: any, execution?: ExecutionContext) => MaybePromise<ToolContext | undefined>;
  /** Where tools come from besides `@Tool()` methods. @default [] */
  readonly sources?: readonly SourceOption[];
  /** Hard limits for everybody. @default none */
  readonly policy?: ToolPolicy;
  readonly visibility?: ToolboxOptions['visibility'] & {
    /** Policies without which the application must not boot. @default none; one that no module provides is warned about */
    readonly required?: readonly Type<ToolVisibilityPolicy>[];
  };
}
