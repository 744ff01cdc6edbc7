import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Test } from '@nestjs/testing';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { ToolCatalog } from '@tool-search/core';
import { APPLICATION_OPTIONS, configure } from '../../src/application.js';
import { waitForSources } from '../../src/demo/wait-for-sources.js';

/** Tokens of the two demo tenants and two operators. */
export const ACME = 'acme-token-1';
export const GLOBEX = 'globex-token-1';
export const OPERATOR = 'operator-token-1';
export const SECOND_OPERATOR = 'operator-token-2';

const TOKENS = [
  `${ACME}:acme:ada:business:finance`,
  `${GLOBEX}:globex:homer:starter`,
  `${OPERATOR}:ops:olga:business:admin`,
  `${SECOND_OPERATOR}:ops:oscar:business:admin`,
].join(',');

/** A started reference server over HTTP, with its own data folder. */
export interface ReferenceServer {
  readonly app: NestExpressApplication;
  readonly url: string;
  readonly data: string;
  /** Sends JSON as one of the demo users. */
  request(path: string, options?: RequestOptions): Promise<Answer>;
  close(): Promise<void>;
}

/** Options of a request; a body makes it a POST. */
export interface RequestOptions {
  readonly method?: string;
  readonly token?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Response of the server. */
export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly controlRevision: string | null;
  readonly text: string;
  readonly body: any;
}

/** Boots the complete application on an ephemeral port and waits for all its real sources, in up to ten attempts. */
export async function startReferenceServer(env: Readonly<Record<string, string>> = {}): Promise<ReferenceServer> {
  const data = mkdtempSync(join(tmpdir(), 'tool-search-e2e-'));
  Object.assign(process.env, {
    DATA_DIR: data,
    DEMO_TOKENS: TOKENS,
    NODE_ENV: 'test',
    TOOL_SEARCH_BOOT_WAIT_MS: '1',
    ...env,
  });
  // Imported late, because the module reads its environment when it is loaded.
  const { AppModule } = await import('../../src/app.module.js');
  const module = await Test.createTestingModule({ imports: [AppModule] })
    .setLogger(false as never)
    .compile();
  const app = configure(module.createNestApplication<NestExpressApplication>(APPLICATION_OPTIONS));
  await app.listen(0, '127.0.0.1');
  await sourcesOf(app.get(ToolCatalog));
  const url = await app.getUrl();
  return {
    app,
    url,
    data,
    request: (path, options) => send(url, path, options),
    close: async () => {
      await app.close();
      for (const key of Object.keys(env)) delete process.env[key];
      rmSync(data, { recursive: true, force: true });
    },
  };
}

// On a busy machine a source may exceed its load timeout twice.
async function sourcesOf(catalog: ToolCatalog): Promise<void> {
  let reason: unknown;
  for (let attempt = 0; attempt < 10; attempt++) {
    try {
      return await waitForSources(catalog, () => {});
    } catch (error) {
      reason = error;
    }
  }
  throw reason;
}

/** Sends JSON to a server and reads the response. */
export async function send(url: string, path: string, options: RequestOptions = {}): Promise<Answer> {
  const { token = ACME, body, headers = {}, method = body === undefined ? 'GET' : 'POST' } = options;
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(token !== '' && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const type = response.headers.get('content-type') ?? '';
  return {
    status: response.status,
    type,
    controlRevision: response.headers.get('x-control-revision'),
    text,
    body: text !== '' && type.includes('json') && !type.includes('ndjson') ? JSON.parse(text) : undefined,
  };
}
