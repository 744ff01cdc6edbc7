import 'reflect-metadata';
import assert from 'node:assert/strict';
import { NestFactory } from '@nestjs/core';
import { Agent, AppModule } from './app.module.js';

const app = await NestFactory.createApplicationContext(AppModule, { logger: ['error', 'warn'] });
const { text, called } = await app.get(Agent).reply('Give invoice inv_1 back', { tenantId: 'acme' });
assert.deepEqual(called, ['tool_search', 'billing__refund']);
console.log(`${called.join(', ')}: ${text}`);
await app.close();
