import { Inject, Injectable, type OnModuleInit, Optional, type Type } from '@nestjs/common';
import { DiscoveryService, ModuleRef } from '@nestjs/core';
import type { NamedInterceptor, ToolCallInterceptor } from '../../tool/tool-call-interceptor.js';
import { CALL_INTERCEPTOR } from '../decorators/tool-call-interceptor.decorator.js';
import { CHECKED_OPTIONS } from '../module/tool-search.module-definition.js';
import type { ToolSearchModuleOptions } from '../module/tool-search.options.js';
import { markedProviders, ScopedInstances } from './marked-providers.js';
import { refuseUnused } from './unused-classes.js';

/** The application's interceptors: providers whose class or token is decorated with `@ToolCallInterceptor()`. */
@Injectable()
export class DiscoveredInterceptors implements OnModuleInit {
  #interceptors: readonly NamedInterceptor[] | undefined;
  #classes: readonly Type[] = [];

  constructor(
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(ModuleRef) private readonly moduleRef: ModuleRef,
    @Optional() @Inject(CHECKED_OPTIONS) private readonly options?: Pick<ToolSearchModuleOptions, 'interceptors'>,
  ) {}

  /** Fails the boot for an interceptor without an `intercept` method, and for one that no module provides. */
  onModuleInit(): void {
    this.interceptors();
    refuseUnused(CALL_INTERCEPTOR, this.#classes, this.options?.interceptors?.unused, {
      what: 'interceptors of calls',
      effect: 'they would not run',
      option: 'interceptors.unused',
    });
  }

  /** All interceptors, the outermost first. @throws ToolSearchError `INVALID_CONFIGURATION` */
  interceptors(): readonly NamedInterceptor[] {
    this.#interceptors ??= this.#discover();
    return this.#interceptors;
  }

  #discover(): readonly NamedInterceptor[] {
    const found = markedProviders(this.discovery, CALL_INTERCEPTOR, {
      name: 'intercept',
      fault: 'an interceptor of calls needs an intercept method',
      hint: 'Declare intercept(call, next) as a method and return what next() gives, or a result of its own.',
    });
    this.#classes = found.flatMap(({ types }) => types);
    return found
      .toSorted((a, b) => a.value - b.value)
      .map(({ type, wrapper, instance }) => ({
        name: type.name,
        interceptor: instance ?? scoped(new ScopedInstances(wrapper, this.moduleRef)),
      }));
  }
}

function scoped(instances: ScopedInstances<ToolCallInterceptor>): ToolCallInterceptor {
  return { intercept: async (call, next) => (await instances.of(call.context)).intercept(call, next) };
}
