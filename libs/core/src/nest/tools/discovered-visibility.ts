import { Inject, Injectable, type OnModuleInit, Optional, type Type } from '@nestjs/common';
import { DiscoveryService, ModuleRef } from '@nestjs/core';
import { POLICY_NAME, type ToolVisibilityPolicy } from '../../access/visibility-policy.js';
import type { ToolContext } from '../../tool/tool-context.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import { CHECKED_OPTIONS } from '../module/tool-search.module-definition.js';
import type { ToolSearchModuleOptions } from '../module/tool-search.options.js';
import { VISIBILITY_POLICY } from '../decorators/visibility-policy.decorator.js';
import { markedProviders, ScopedInstances } from './marked-providers.js';
import { warnOfUnused } from './unused-classes.js';

/** The application's visibility policies: providers whose class or token is decorated with `@VisibilityPolicy()`. */
@Injectable()
export class DiscoveredVisibility implements OnModuleInit {
  #policies: readonly ToolVisibilityPolicy[] | undefined;
  #classes: readonly Type[] = [];

  constructor(
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(ModuleRef) private readonly moduleRef: ModuleRef,
    @Optional() @Inject(CHECKED_OPTIONS) private readonly options?: Pick<ToolSearchModuleOptions, 'visibility'>,
  ) {}

  /** Fails the boot when a policy has no `filter` method, or a required policy is missing. */
  onModuleInit(): void {
    this.policies();
    this.#checkUnused();
  }

  // Only a warning by default: a process may hold several applications, and tests import classes that they do not use.
  #checkUnused(): void {
    const { required = [] } = this.options?.visibility ?? {};
    const missing = required.find(
      (type) => !this.#classes.some((used) => used === type || used.prototype instanceof type),
    );
    if (missing) {
      throw new ToolSearchError('INVALID_CONFIGURATION', `${missing.name} is required and no module provides it.`, {
        hint: 'List the class among the providers of a module.',
      });
    }
    warnOfUnused(
      VISIBILITY_POLICY.unused(this.#classes),
      { what: 'visibility policies', effect: 'they hide nothing' },
      ', and in visibility.required to let the boot fail without them',
    );
  }

  /**
   * All policies. Two instances of one class are two policies, because they may be configured differently.
   *
   * @throws ToolSearchError `INVALID_CONFIGURATION` for a class without a `filter` method
   */
  policies(): readonly ToolVisibilityPolicy[] {
    this.#policies ??= this.#discover();
    return this.#policies;
  }

  #discover(): readonly ToolVisibilityPolicy[] {
    const found = markedProviders(this.discovery, VISIBILITY_POLICY, {
      name: 'filter',
      fault: 'a visibility policy needs a filter method',
      hint: 'Declare filter(tools, context) as a method and return those of the given tools that the context may see.',
    });
    this.#classes = found.flatMap(({ types }) => types);
    return found.map(({ instance, type, wrapper }) => {
      return instance ?? new ScopedPolicy(type.name, new ScopedInstances(wrapper, this.moduleRef));
    });
  }
}

/** A request-scoped or transient policy. */
class ScopedPolicy implements ToolVisibilityPolicy {
  readonly [POLICY_NAME]: string;

  constructor(
    name: string,
    private readonly instances: ScopedInstances<ToolVisibilityPolicy>,
  ) {
    this[POLICY_NAME] = name;
  }

  async filter(...[tools, context]: Parameters<ToolVisibilityPolicy['filter']>) {
    return (await this.instances.of(context)).filter(tools, context);
  }

  async cacheKey(context: ToolContext): Promise<string | undefined> {
    return (await this.instances.of(context)).cacheKey?.(context);
  }

  async reasonFor(tool: ToolDefinition, context: ToolContext): Promise<string | undefined> {
    return (await this.instances.of(context)).reasonFor?.(tool, context);
  }
}
