import 'reflect-metadata';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { NestFactory } from '@nestjs/core';
import { tenantsModule } from './tenants.app.js';

// One of the two applications of the tenants benchmark: `tenants-server.js own|shared MAX_TENANTS`. Each message from
// the parent process is answered with the CPU time and the longest delay of the event loop so far.

const RESOLUTION_MS = 5;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });

async function main([kind, maxTenants]: readonly string[]): Promise<void> {
  const app = await NestFactory.create(tenantsModule(kind === 'own', Number(maxTenants)), { logger: ['error'] });
  app.enableShutdownHooks();
  await app.listen(0, '127.0.0.1');
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuMs: (user + system) / 1000, maxBlockMs: delay.max / 1e6 - RESOLUTION_MS });
  });
  process.channel?.unref();
  delay.enable();
  console.log(`Ready on ${await app.getUrl()}, ${kind} tools`);
}

void main(process.argv.slice(2));
