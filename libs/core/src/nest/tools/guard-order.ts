import { Inject, Injectable, type Type } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { isToolGuard } from '../decorators/requires-tool.decorator.js';
import { isClass } from '../module/provider-class.js';
import { GUARDS } from './tool-enhancers.js';

/**
 * Lets the guards of `@RequiresTool()` run after the other guards of the same class or method, in whichever order the
 * decorators are written: one of the others says who is asking. In its constructor, because Nest reads the order of
 * guards after all providers are built and before the first hook.
 */
@Injectable()
export class GuardOrder {
  constructor(
    @Inject(DiscoveryService) discovery: DiscoveryService,
    @Inject(MetadataScanner) private readonly scanner: MetadataScanner,
  ) {
    const wrappers = [...discovery.getControllers(), ...discovery.getProviders()];
    const types = new Set<unknown>(wrappers.flatMap(({ metatype, token }) => [metatype, token]));
    for (const type of types) if (isClass(type)) this.#sort(type);
  }

  #sort(type: Type): void {
    const prototype = type.prototype as Record<string, unknown>;
    for (const each of lineageOf(type)) toolGuardsLast(each);
    for (const method of this.scanner.getAllMethodNames(prototype)) toolGuardsLast(prototype[method] as object);
  }
}

/** The class and those that it extends: each may have guards of its own. */
function lineageOf(type: Type): readonly object[] {
  const parent: unknown = Object.getPrototypeOf(type);
  return [type, ...(isClass(parent) ? lineageOf(parent) : [])];
}

function toolGuardsLast(target: object): void {
  const guards: unknown = Reflect.getOwnMetadata(GUARDS, target);
  if (!Array.isArray(guards)) return;
  const sorted = [...guards.filter((guard) => !isToolGuard(guard)), ...guards.filter(isToolGuard)];
  if (sorted.some((guard, index) => guard !== guards[index])) Reflect.defineMetadata(GUARDS, sorted, target);
}
