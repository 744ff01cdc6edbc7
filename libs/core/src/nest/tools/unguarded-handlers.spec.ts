import { Injectable, SetMetadata, type Type } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { RequiresTool } from '../decorators/requires-tool.decorator.js';
import { Tool } from '../decorators/tool.decorator.js';
import { ToolSearchModule } from '../module/tool-search.module.js';
import { UnguardedHandlers } from './unguarded-handlers.js';

// Metadata of @nestjs/schedule, @nestjs/event-emitter and @nestjs/bullmq.
const Cron = () => SetMetadata('SCHEDULER_TYPE', 1);
const OnEvent = () => SetMetadata('EVENT_LISTENER_METADATA', []);
const Processor = () => SetMetadata('bullmq:processor_metadata', {});

@Injectable()
class GuardedTask {
  @Cron()
  @RequiresTool('billing.*')
  nightly() {}
}

@Injectable()
@RequiresTool('billing.refund')
class GuardedListener {
  @OnEvent()
  refunded() {}
}

@Processor()
class GuardedWorker {
  @RequiresTool('billing.refund')
  process() {}
}

@Injectable()
class Harmless {
  @Cron()
  nightly() {}

  @RequiresTool('billing.refund')
  @Tool({ description: 'A tool may require another one: Nest runs guards around it.' })
  refund() {}
}

async function boot(provider: Type): Promise<string> {
  const module = await Test.createTestingModule({
    imports: [DiscoveryModule, ToolSearchModule.forRoot({ context: () => ({ tenantId: 'acme' }) })],
    providers: [provider],
  })
    .setLogger(false as never)
    .compile();
  try {
    module.get(UnguardedHandlers, { strict: false }).onModuleInit();
    return 'boots';
  } catch (error) {
    return (error as Error).message;
  } finally {
    await module.close();
  }
}

it('@RequiresTool() fails the boot where Nest runs no guards, and nowhere else', async () => {
  expect(await boot(GuardedTask)).toMatch(/^GuardedTask.nightly: Nest runs no guards here/);
  expect(await boot(GuardedListener)).toMatch(/^GuardedListener.refunded: Nest runs no guards here/);
  expect(await boot(GuardedWorker)).toMatch(/^GuardedWorker.process: Nest runs no guards here/);
  expect(await boot(Harmless)).toBe('boots');
});
