import 'reflect-metadata';
import assert from 'node:assert/strict';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';

const app = await NestFactory.create(AppModule, { logger: ['error', 'warn'] });
await app.listen(0, '127.0.0.1');
const url = await app.getUrl();

async function post(path: string, body: object): Promise<any> {
  const headers = { 'content-type': 'application/json', 'x-tenant': 'acme' };
  return (await fetch(`${url}/agent/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json();
}

const { tools } = await post('search', { query: 'give money back' });
assert.equal(tools[0]?.name, 'billing.refund');
const { ok, content } = await post('call', { name: tools[0].name, arguments: { invoiceId: 'inv_1', amount: 5 } });
assert.equal(ok, true);
console.log(`found ${tools[0].name}: ${content[0].text}`);
await app.close();
