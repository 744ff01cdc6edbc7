import 'reflect-metadata';
import assert from 'node:assert/strict';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';

async function start() {
  const app = await NestFactory.create(AppModule, { logger: ['error', 'warn'] });
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  const post = async (token: string, path: string, body: object): Promise<any> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    return (await fetch(`${url}/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json();
  };
  return { app, post };
}

const instances = [await start(), await start()];
const [first, second] = instances;
const refund = { name: 'billing.refund', arguments: { invoiceId: 'inv_1' } };

const found = await first!.post('acme-token', 'agent/search', { query: 'refund an invoice' });
assert.equal(found.tools[0].name, 'billing.refund');
assert.equal((await second!.post('acme-token', 'agent/call', refund)).ok, true);
const hidden = await first!.post('globex-token', 'agent/call', refund);
assert.equal(hidden.code, 'TOOL_NOT_AVAILABLE');

const target = { kind: 'tool', value: 'billing.refund', reason: 'an incident' };
await first!.post('operator-token', 'admin/tools/kill-switches?waitMs=5000', target);
for (const { post } of instances) {
  assert.equal((await post('acme-token', 'agent/call', refund)).code, 'TOOL_NOT_AVAILABLE');
}
console.log('globex sees no refund; ada stopped it on both instances');
for (const { app } of instances) await app.close();
