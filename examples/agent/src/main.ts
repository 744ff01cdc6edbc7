import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { Agent, AppModule } from './app.module.js';

const app = await NestFactory.createApplicationContext(AppModule, { logger: ['error', 'warn'] });
console.log(await app.get(Agent).reply(process.argv[2] ?? 'Give invoice inv_1 back', { tenantId: 'acme' }));
await app.close();
