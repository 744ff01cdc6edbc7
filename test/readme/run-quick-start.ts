import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './quick-start.js';

async function main(): Promise<void> {
  const app = await NestFactory.create(AppModule, { logger: ['error', 'warn'], forceCloseConnections: true });
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  const post = async (path: string, body: unknown): Promise<unknown> => {
    const headers = { 'content-type': 'application/json', 'x-tenant': 'acme' };
    const response = await fetch(`${url}/agent/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return response.json();
  };
  const found = (await post('search', { query: 'give money back' })) as { totalDeferred?: number };
  const called = (await post('call', { name: 'billing.refund', arguments: { invoiceId: 'inv_1', amount: 5 } })) as {
    content?: { text: string }[];
  };
  await app.close();
  const said = called.content?.[0]?.text;
  if (found.totalDeferred !== 1 || said !== 'acme gave back 5 euros of inv_1') {
    throw new Error(`unexpected answers: ${JSON.stringify({ found, called })}`);
  }
  console.log(said);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
