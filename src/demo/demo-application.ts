import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { ToolCatalog } from '@tool-search/core';
import { AppModule } from '../app.module.js';
import { APPLICATION_OPTIONS, configure } from '../application.js';
import { DEMO_OPERATOR_TOKEN, DEMO_USERS } from './demo-users.js';
import { waitForSources } from './wait-for-sources.js';

/**
 * Runs the reference application after all its real sources are loaded. It does not listen on a port, unless `work`
 * makes it. Its data directory is deleted afterwards; progress goes to stderr.
 *
 * @throws Error if a source cannot be loaded
 */
export async function withDemoApplication<T>(work: (app: NestExpressApplication) => Promise<T>): Promise<T> {
  const data = mkdtempSync(join(tmpdir(), 'tool-search-demo-'));
  process.env['DATA_DIR'] = data;
  // Demo tokens are allowed outside production only; this application is never reachable over a network.
  process.env['NODE_ENV'] = 'development';
  process.env['DEMO_TOKENS'] = [
    ...Object.entries(DEMO_USERS).map(
      ([tenant, { userId, plan }]) => `demo-${tenant}-token:${tenant}:${userId}:${plan}`,
    ),
    `${DEMO_OPERATOR_TOKEN}:ops:olga:business:admin`,
  ].join(',');
  // Boot continues without slow sources and reports nothing. The demo waits for all sources instead and prints
  // progress.
  process.env['TOOL_SEARCH_BOOT_WAIT_MS'] = '1';
  delete process.env['DATABASE_URL'];
  delete process.env['SQLITE_PATH'];
  const app = configure(
    await NestFactory.create<NestExpressApplication>(AppModule, {
      ...APPLICATION_OPTIONS,
      logger: false,
      abortOnError: false,
    }),
  );
  try {
    await app.init();
    await waitForSources(app.get(ToolCatalog), (line) => console.error(line));
    return await work(app);
  } finally {
    await app.close();
    rmSync(data, { recursive: true, force: true });
  }
}
