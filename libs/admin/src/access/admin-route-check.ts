import { Inject, Injectable, type OnModuleInit, type Type } from '@nestjs/common';
import { GUARDS_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { ToolSearchError } from '@tool-search/core';
import { ADMIN_CONTROLLER } from './admin-route.decorator.js';
import { AdminGuard } from './admin.guard.js';

/**
 * Fails the boot if a route of an `@AdminController()`, or of a class that extends one, has no guard: an overriding
 * method does not inherit decorators.
 */
@Injectable()
export class AdminRouteCheck implements OnModuleInit {
  readonly #scanner = new MetadataScanner();

  constructor(@Inject(DiscoveryService) private readonly discovery: DiscoveryService) {}

  /** @throws ToolSearchError `INVALID_CONFIGURATION` */
  onModuleInit(): void {
    for (const { metatype } of this.discovery.getControllers()) {
      // Metadata of a class is inherited, unlike that of a method.
      if (metatype && Reflect.hasMetadata(ADMIN_CONTROLLER, metatype)) this.#check(metatype as Type);
    }
  }

  #check({ name, prototype }: Type): void {
    for (const method of this.#scanner.getAllMethodNames(prototype)) {
      const handler: unknown = prototype[method];
      if (typeof handler !== 'function' || !Reflect.hasMetadata(PATH_METADATA, handler)) continue;
      const guards: readonly unknown[] = Reflect.getMetadata(GUARDS_METADATA, handler) ?? [];
      if (guards.includes(AdminGuard)) continue;
      throw new ToolSearchError('INVALID_CONFIGURATION', `${name}.${method}() is a route that lets everybody in.`, {
        hint: 'Put @AdminRead or @AdminWrite on it, also where it overrides a route that has one.',
      });
    }
  }
}
