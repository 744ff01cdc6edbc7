import 'reflect-metadata';
import { type AbstractHttpAdapter, NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';

/** The quick start over HTTP, as used by the README's commands. */
export interface QuickStart {
  /** The names that a model is shown in a session. */
  readonly list: (session: string) => Promise<unknown>;
  /** Calls a tool in the session `s1`. */
  readonly call: (name: string, input: object) => Promise<unknown>;
}

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
  const url = `${await app.getUrl()}/tools`;
  const send = async (path: string, session: string, init: RequestInit = {}): Promise<unknown> => {
    const headers = { 'content-type': 'application/json', 'x-tenant': 'acme', 'x-session': session };
    const response = await fetch(`${url}${path}`, { headers, ...init });
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return response.json();
  };
  try {
    return await work({
      list: (session) => send('', session),
      call: (name, input) => send(`/${name}`, 's1', { method: 'POST', body: JSON.stringify(input) }),
    });
  } finally {
    await app.close();
  }
}

/** Uses the quick start before and after a restart. @returns the tool's answer */
export async function runQuickStart(): Promise<string | undefined> {
  const called = (await withQuickStart(async ({ call }) => {
    await call('tool_search', { query: 'give money back' });
    return call('billing.refund', { invoiceId: 'inv_1', amount: 5 });
  })) as { content?: { text: string }[] };
  const listed = JSON.stringify(await withQuickStart(({ list }) => list('s1')));
  if (listed !== '["tool_search","tool_get","billing.refund"]') {
    throw new Error(`after a restart the session has ${listed}`);
  }
  return called.content?.[0]?.text;
}

if (require.main === module) {
  runQuickStart().then(console.log, (error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  });
}
