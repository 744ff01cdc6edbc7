import type { ExecutionContext, Type } from '@nestjs/common';
import type { ToolVisibilityPolicy } from '../../access/visibility-policy.js';
import { type ToolPolicy, policyOptions } from '../../access/policies/tool-policy.js';
import { type ToolboxOptions, toolboxOptions, withPreset } from '../../runtime/toolbox-options.js';
import { TUNING_RULES } from '../../runtime/tuning.js';
import { isObject } from '../../json/json.js';
import { func, list, object, oneOf, type OptionsOf, part, rule, value } from '../../options/options.js';
import { parseOptions } from '../../options/parse-options.js';
import type { ToolContext } from '../../tool/tool-context.js';
import type { ToolSource } from '../../tool/tool-source.js';

/** A source as a value, or the class of a provider that implements it. */
export type SourceOption = ToolSource | Type<ToolSource>;

type MaybePromise<T> = T | Promise<T>;

// Applications declare their own request type; `any` permits `(request: Request) => …`.
// oxlint-disable-next-line typescript/no-explicit-any
type ContextOf = (request: any, execution?: ExecutionContext) => MaybePromise<ToolContext | undefined>;

const visibilityOptions = object({
  ...toolboxOptions.shape.visibility.unwrap().shape,
  /** Policies without which the boot fails. @default none; a policy that no module provides only logs a warning */
  required: list(func<Type<ToolVisibilityPolicy>>()).default([]),
});

const callPoliciesOptions = object({
  ...toolboxOptions.shape.callPolicies.unwrap().shape,
  /**
   * What happens at boot if no module provides a class with `@ToolCallPolicy()`. `warn` is for a process with several
   * applications, of which another one provides it. @default 'refuse'
   */
  unused: oneOf('refuse', 'warn').default('refuse'),
});

const ownOptions = object({
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
  context: func<ContextOf>(),
  /** Sources of tools in addition to `@Tool()` methods. @default [] */
  sources: list(sourceOption()).default([]),
  /** Static limits for all callers. @default none */
  policy: part<ToolPolicy>(policyOptions),
  visibility: visibilityOptions.optional(),
  callPolicies: callPoliciesOptions.optional(),
  interceptors: object({
    /**
     * What happens at boot if no module provides a class with `@ToolCallInterceptor()`. `warn` is for a process with several
     * applications, of which another one provides it. @default 'refuse'
     */
    unused: oneOf('refuse', 'warn').default('refuse'),
  }).optional(),
});

/** The schema of {@link ToolSearchModuleOptions}, for applications that read options from elsewhere. */
export const moduleOptions = object({ ...toolboxOptions.shape, ...ownOptions.shape }).check(
  ...TUNING_RULES,
  rule('tokenizer', 'left out where countTokens counts', (set) => !(set.tokenizer && set.countTokens)),
);

/** Options of `ToolSearchModule.forRoot`. */
export interface ToolSearchModuleOptions
  extends Omit<ToolboxOptions, 'visibility' | 'callPolicies'>, OptionsOf<typeof ownOptions> {}

export const featureOptions = object({
  sources: list(sourceOption()),
  /** Applies to these sources' tools only. */
  policy: part<ToolPolicy>(policyOptions),
});

/** Options of `ToolSearchModule.forFeature()`. */
export interface ToolSearchFeature extends OptionsOf<typeof featureOptions> {}

/**
 * Checks the module's options and fills in the defaults of their preset.
 *
 * @throws ToolSearchError `INVALID_CONFIGURATION`
 */
export function checkedOptions(options: ToolSearchModuleOptions): ToolSearchModuleOptions {
  return parseOptions(moduleOptions, withPreset(options), 'ToolSearchModule');
}

function sourceOption() {
  const isSource = (given: unknown) =>
    typeof given === 'function' || (isObject(given) && 'load' in given && 'call' in given);
  return value<SourceOption>(isSource, 'a tool source or a provider class that implements one');
}
