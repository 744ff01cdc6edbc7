import { Inject, Injectable, type OnModuleInit, Optional, type Type } from '@nestjs/common';
import { DiscoveryService, ModuleRef } from '@nestjs/core';
import {
  type NamedCallPolicy,
  namedCallPolicy,
  type ToolCallPolicy,
} from '../../access/call-policies/tool-call-policy.js';
import { CALL_POLICY } from '../decorators/tool-call-policy.decorator.js';
import { CHECKED_OPTIONS } from '../module/tool-search.module-definition.js';
import type { ToolSearchModuleOptions } from '../module/tool-search.options.js';
import { markedProviders, ScopedInstances } from './marked-providers.js';
import { refuseUnused } from './unused-classes.js';

/** The application's call policies: providers whose class or token is decorated with `@ToolCallPolicy()`. */
@Injectable()
export class DiscoveredCallPolicies implements OnModuleInit {
  #policies: readonly NamedCallPolicy[] | undefined;
  #classes: readonly Type[] = [];

  constructor(
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(ModuleRef) private readonly moduleRef: ModuleRef,
    @Optional() @Inject(CHECKED_OPTIONS) private readonly options?: Pick<ToolSearchModuleOptions, 'callPolicies'>,
  ) {}

  /** Fails the boot for a policy without a `decide` method, and for one that no module provides. */
  onModuleInit(): void {
    this.policies();
    refuseUnused(CALL_POLICY, this.#classes, this.options?.callPolicies?.unused, {
      what: 'call policies',
      effect: 'they would refuse nothing',
      option: 'callPolicies.unused',
    });
  }

  /**
   * All policies. Two instances of one class are two policies, because they may be configured differently.
   *
   * @throws ToolSearchError `INVALID_CONFIGURATION` for a class without a `decide` method
   */
  policies(): readonly NamedCallPolicy[] {
    this.#policies ??= this.#discover();
    return this.#policies;
  }

  #discover(): readonly NamedCallPolicy[] {
    const found = markedProviders(this.discovery, CALL_POLICY, {
      name: 'decide',
      fault: 'a call policy needs a decide method',
      hint: 'Declare decide(call) as a method and return { outcome: "allow" }, or "deny" or "approve" with a reason.',
    });
    this.#classes = found.flatMap(({ types }) => types);
    return found.map(({ type, value, wrapper, instance }) =>
      namedCallPolicy(type.name, instance ?? scoped(new ScopedInstances(wrapper, this.moduleRef)), value),
    );
  }
}

/** A request-scoped or transient policy. */
function scoped(instances: ScopedInstances<ToolCallPolicy>): ToolCallPolicy {
  return {
    decide: async (call) => (await instances.of(call.context)).decide(call),
    cacheKey: async (call) => (await instances.of(call.context)).cacheKey?.(call),
  };
}
