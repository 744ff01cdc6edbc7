import type { InjectableOptions, Type } from '@nestjs/common';
import {
  callPolicyOptions,
  type CallPolicyOptions,
  type ToolCallPolicy as Policy,
} from '../../access/call-policies/tool-call-policy.js';
import { parseOptions } from '../../options/parse-options.js';
import { ProviderMark } from './provider-mark.js';

/** The mark of call policies, with their options. */
export const CALL_POLICY = new ProviderMark<Policy, CallPolicyOptions>(
  Symbol.for('@tool-search/core:tool-call-policy'),
);

/** The tools that a call policy decides about, how long its answers are remembered, and its scope. */
export interface ToolCallPolicyOptions extends CallPolicyOptions, InjectableOptions {}

/** What a class with `@ToolCallPolicy()` implements. */
export type ToolCallPolicy = Policy;

/**
 * Makes a class decide about single calls, by tool, caller and arguments: it allows, denies, or asks for an approval. List
 * it among a module's providers; a class that no module provides fails the boot. It may inject any provider, including
 * request-scoped ones; `@Injectable()` is not needed in addition.
 *
 * @throws ToolSearchError `INVALID_CONFIGURATION` for `tools` that are no globs, or a wrong `cacheMs`
 */
export function ToolCallPolicy({ scope, durable, ...own }: ToolCallPolicyOptions = {}) {
  return (target: Type<Policy>): void => {
    const options = parseOptions(callPolicyOptions, own, `@ToolCallPolicy() of ${target.name}`);
    const injectable = { ...(scope !== undefined && { scope }), ...(durable !== undefined && { durable }) };
    CALL_POLICY.put(target, options, Object.keys(injectable).length === 0 ? undefined : injectable);
  };
}
