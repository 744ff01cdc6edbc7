import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './quick-start.js';

/** Starts the quick start, uses it over HTTP and says what the tool said; leaves `.tool-search/` in the working directory. */
export async function runQuickStart(): Promise<string | undefined> {
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
  if (found.totalDeferred !== 1) throw new Error(`unexpected answer: ${JSON.stringify(found)}`);
  return said;
}

if (require.main === module) {
  runQuickStart().then(console.log, (error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  });
}
