import 'reflect-metadata';
import { type AbstractHttpAdapter, NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';

/** The quick start over HTTP, as used by the README's commands. */
export interface QuickStart {
  readonly get: (path: string, session: string) => Promise<unknown>;
  readonly post: (path: string, body: object) => Promise<unknown>;
}

const REFUND = { name: 'billing.refund', arguments: { invoiceId: 'inv_1', amount: 5 } };

const OPTIONS = { logger: ['error' as const, 'warn' as const], forceCloseConnections: true };

/**
 * Runs work with the started quick start. Leaves `.tool-search/` in the working directory.
 *
 * @param adapter Express by default
 */
export async function withQuickStart<T>(
  work: (app: QuickStart) => Promise<T>,
  adapter?: AbstractHttpAdapter,
): Promise<T> {
  const app = adapter
    ? await NestFactory.create(AppModule, adapter, OPTIONS)
    : await NestFactory.create(AppModule, OPTIONS);
  await app.listen(0, '127.0.0.1');
  const url = `${await app.getUrl()}/agent`;
  const send = async (path: string, session: string, init: RequestInit = {}): Promise<unknown> => {
    const headers = { 'content-type': 'application/json', 'x-tenant': 'acme', 'x-session': session };
    return (await fetch(`${url}/${path}`, { headers, ...init })).json();
  };
  try {
    return await work({
      get: (path, session) => send(path, session),
      post: (path, body) => send(path, 's1', { method: 'POST', body: JSON.stringify(body) }),
    });
  } finally {
    await app.close();
  }
}

/** Uses the quick start before and after a restart. @returns the tool's answer */
export async function runQuickStart(): Promise<string | undefined> {
  const called = (await withQuickStart(async ({ post }) => {
    await post('search', { query: 'give money back' });
    return post('call', REFUND);
  })) as { content?: { text: string }[] };
  const listed = JSON.stringify(await withQuickStart(({ get }) => get('tools', 's1')));
  if (listed !== '["billing.refund"]') throw new Error(`after a restart the session has ${listed}`);
  return called.content?.[0]?.text;
}

if (require.main === module) {
  runQuickStart().then(console.log, (error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  });
}
