import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../app.module.js';

/** Both tenants' demo users, as a bearer guard would find them. */
export const DEMO_USERS: Readonly<Record<string, { userId: string; plan: 'starter' | 'business' }>> = {
  acme: { userId: 'ada', plan: 'business' },
  globex: { userId: 'homer', plan: 'starter' },
};

/** The reference application without HTTP, with its real sources and a data directory that is gone afterwards. */
export async function withDemoApplication<T>(work: (app: INestApplicationContext) => Promise<T>): Promise<T> {
  const data = mkdtempSync(join(tmpdir(), 'tool-search-demo-'));
  process.env['DATA_DIR'] = data;
  // Its tokens are its own and nobody can reach it.
  process.env['NODE_ENV'] = 'development';
  process.env['DEMO_TOKENS'] = Object.entries(DEMO_USERS)
    .map(([tenant, { userId, plan }]) => `${tenant}-demo-token:${tenant}:${userId}:${plan}`)
    .join(',');
  delete process.env['DATABASE_URL'];
  delete process.env['SQLITE_PATH'];
  const app = await NestFactory.createApplicationContext(AppModule, { logger: false, abortOnError: false });
  try {
    return await work(app);
  } finally {
    await app.close();
    rmSync(data, { recursive: true, force: true });
  }
}
