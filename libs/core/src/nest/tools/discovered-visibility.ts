import { Inject, Injectable, Logger, type OnModuleInit, Optional, type Type } from '@nestjs/common';
import { DiscoveryService, ModuleRef } from '@nestjs/core';
import { POLICY_NAME, type ToolVisibilityPolicy } from '../../access/visibility-policy.js';
import type { ToolContext } from '../../tool/tool-context.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import { classesOf, isShared, type ProviderWrapper, resolveIn } from '../module/provider-class.js';
import { contextIdOf } from '../request/request-link.js';
import { CHECKED_OPTIONS } from '../module/tool-search.module-definition.js';
import type { ToolSearchModuleOptions } from '../module/tool-search.options.js';
import { isVisibilityPolicy, unusedPolicies } from '../decorators/visibility-policy.decorator.js';

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
    const unused = unusedPolicies(this.#classes);
    const { required = [] } = this.options?.visibility ?? {};
    const missing = required.find(
      (type) => !this.#classes.some((used) => used === type || used.prototype instanceof type),
    );
    if (missing) {
      throw new ToolSearchError('INVALID_CONFIGURATION', `${missing.name} is required and no module provides it.`, {
        hint: 'List the class among the providers of a module.',
      });
    }
    if (unused.length === 0) return;
    const names = unused.slice(0, 20).map(({ name }) => name);
    new Logger('ToolSearch').warn(
      `No module provides these visibility policies, so they hide nothing: ${names.join(', ')}. List them among the ` +
        'providers of a module, and in visibility.required to let the boot fail without them',
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
    const found = new Set<ToolVisibilityPolicy>();
    const classes: Type[] = [];
    for (const wrapper of this.discovery.getProviders()) {
      const types = classesOf(wrapper);
      const [type] = types;
      if (!type || !types.some(isVisibilityPolicy)) continue;
      found.add(this.#policyOf(wrapper, type));
      classes.push(...types);
    }
    this.#classes = classes;
    return [...found];
  }

  #policyOf(wrapper: ProviderWrapper, type: Type): ToolVisibilityPolicy {
    const shared = isShared(wrapper);
    const candidate = (shared ? wrapper.instance : type.prototype) as Partial<ToolVisibilityPolicy> | undefined;
    if (typeof candidate?.filter !== 'function') {
      throw new ToolSearchError('INVALID_CONFIGURATION', `${type.name}: a visibility policy needs a filter method.`, {
        hint: 'Declare filter(tools, context) as a method and return those of the given tools that the context may see.',
      });
    }
    return shared ? (candidate as ToolVisibilityPolicy) : new ScopedPolicy(type.name, wrapper, this.moduleRef);
  }
}

/** A request-scoped or transient policy, resolved once per context among the providers of its request. */
class ScopedPolicy implements ToolVisibilityPolicy {
  readonly #instances = new WeakMap<ToolContext, Promise<ToolVisibilityPolicy>>();

  readonly [POLICY_NAME]: string;

  constructor(
    name: string,
    private readonly wrapper: ProviderWrapper,
    private readonly moduleRef: ModuleRef,
  ) {
    this[POLICY_NAME] = name;
  }

  async filter(...[tools, context]: Parameters<ToolVisibilityPolicy['filter']>) {
    return (await this.#for(context)).filter(tools, context);
  }

  async cacheKey(context: ToolContext): Promise<string | undefined> {
    return (await this.#for(context)).cacheKey?.(context);
  }

  async reasonFor(tool: ToolDefinition, context: ToolContext): Promise<string | undefined> {
    return (await this.#for(context)).reasonFor?.(tool, context);
  }

  #for(context: ToolContext): Promise<ToolVisibilityPolicy> {
    let instance = this.#instances.get(context);
    if (!instance) {
      instance = resolveIn(contextIdOf(context, this.moduleRef), this.wrapper) as Promise<ToolVisibilityPolicy>;
      this.#instances.set(context, instance);
    }
    return instance;
  }
}
