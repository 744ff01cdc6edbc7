import { Inject, Injectable, Logger, type OnModuleInit, Optional, type Type } from '@nestjs/common';
import { DiscoveryService, ModuleRef } from '@nestjs/core';
import type { NamedInterceptor, ToolCallInterceptor } from '../../tool/tool-call-interceptor.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import { CALL_INTERCEPTOR } from '../decorators/tool-call-interceptor.decorator.js';
import { CHECKED_OPTIONS } from '../module/tool-search.module-definition.js';
import type { ToolSearchModuleOptions } from '../module/tool-search.options.js';
import { markedProviders, ScopedInstances } from './marked-providers.js';

/** Classes that some application of this process provides. */
const PROVIDED = new WeakSet<Type>();
const MAX_NAMES = 20;

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
    this.#checkUnused();
  }

  /** All interceptors, the outermost first. @throws ToolSearchError `INVALID_CONFIGURATION` */
  interceptors(): readonly NamedInterceptor[] {
    this.#interceptors ??= this.#discover();
    return this.#interceptors;
  }

  // A check that a forgotten provider leaves out would let every call through.
  #checkUnused(): void {
    const unused = CALL_INTERCEPTOR.unused(this.#classes, PROVIDED);
    if (unused.length === 0) return;
    const names = unused.slice(0, MAX_NAMES).map(({ name }) => name);
    const words = `No module provides these interceptors of calls, so they would not run: ${names.join(', ')}.`;
    const hint = 'List them among the providers of a module';
    if (this.options?.interceptors?.unused === 'warn') return new Logger('ToolSearch').warn(`${words} ${hint}`);
    throw new ToolSearchError('INVALID_CONFIGURATION', words, {
      hint: `${hint}, or set interceptors.unused to "warn" if they belong to another application of this process.`,
    });
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
