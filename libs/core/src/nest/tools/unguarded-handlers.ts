import { Inject, Injectable, type OnModuleInit, type Type } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import { classesOf } from '../module/provider-class.js';
import { isToolGuard } from '../decorators/requires-tool.decorator.js';
import { enhancersOf, GUARDS } from './tool-enhancers.js';

// Metadata of @Processor(), @Cron() and similar decorators, and @OnEvent(): Nest calls these handlers without guards.
const JOB_CLASS = 'bullmq:processor_metadata';
const JOB_METHODS = ['bull:module_queue_process', 'SCHEDULER_TYPE', 'EVENT_LISTENER_METADATA'];

/** Fails the boot when `@RequiresTool()` is on a handler that Nest calls without guards: it would have no effect. */
@Injectable()
export class UnguardedHandlers implements OnModuleInit {
  constructor(
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(MetadataScanner) private readonly scanner: MetadataScanner,
  ) {}

  /** @throws ToolSearchError `INVALID_CONFIGURATION` */
  onModuleInit(): void {
    for (const type of new Set(this.discovery.getProviders().flatMap(classesOf))) this.#check(type);
  }

  #check(type: Type): void {
    const prototype = type.prototype as Record<string, object>;
    const isJob = Reflect.hasMetadata(JOB_CLASS, type);
    const isGuarded = (target: object) => enhancersOf(GUARDS, target).some(isToolGuard);
    for (const method of this.scanner.getAllMethodNames(prototype)) {
      const handler = prototype[method] as object;
      if (!isJob && !JOB_METHODS.some((key) => Reflect.hasMetadata(key, handler))) continue;
      if (!isGuarded(handler) && !isGuarded(type)) continue;
      throw new ToolSearchError(
        'INVALID_CONFIGURATION',
        `${type.name}.${method}: Nest runs no guards here, so @RequiresTool() would let everybody in.`,
        { hint: 'Ask in the method: await toolSearch.open(context).admit(name).' },
      );
    }
  }
}
