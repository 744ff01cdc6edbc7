import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { ControlPlane, ToolSearchModule, ToolSearchService, type ToolSearchModuleOptions } from '@tool-search/core';
import { ToolLimits } from '@tool-search/core/operators';
import { FakeSource } from '@tool-search/core/testing';
import { describeOnPostgres } from '../../test/describe-on-postgres.js';
import type { ToolSearchTypeOrmOptions } from '../database/data-source-options.js';
import { ToolSearchTypeOrmModule } from '../tool-search-typeorm.module.js';

const OLGA = { actor: 'olga', reason: 'too many' };
const TEST = join(__dirname, '../../test');

async function boot(
  database: ToolSearchTypeOrmOptions,
  limits: ToolSearchModuleOptions['limits'] = {},
  timeoutMs = 600_000,
  leaseSlackMs?: number,
) {
  const running = { now: 0, most: 0, ran: 0 };
  const run = async () => {
    running.most = Math.max(running.most, ++running.now);
    running.ran += 1;
    await new Promise((resolve) => setTimeout(resolve, 5));
    running.now -= 1;
    return 'done';
  };
  @Module({
    imports: [
      ToolSearchModule.forRoot({
        context: () => ({ tenantId: 'acme' }),
        exposure: 'all',
        sources: [new FakeSource('jobs', [{ name: 'run', timeoutMs, run }])],
        limits,
        tuning: { limits: { storeTimeoutMs: 60_000, leaseSlackMs } },
      }),
      ToolSearchTypeOrmModule.forRoot(database),
    ],
  })
  class Application {}
  const module = await Test.createTestingModule({ imports: [Application] })
    .setLogger(false as never)
    .compile();
  const app = module.createNestApplication({ logger: false });
  await app.init();
  const call = async (userId = 'ada') => {
    const result = await app.get(ToolSearchService).open({ tenantId: 'acme', userId }).call('jobs.run', {});
    return result.ok ? 'ok' : result.code;
  };
  const used = async (id: string) =>
    (await app.get(ToolLimits).list({ limit: 10 })).find(({ limit }) => limit.id === id)?.usage?.used;
  return { app, call, used, running };
}

it('a budget goes on after a restart, on SQLite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'limits-'));
  try {
    const database = { database: join(folder, 'tools.sqlite') };
    const limits = { rules: [{ id: 'month', budget: { of: 'calls', max: 3, every: 'month' as const } }] };
    const first = await boot(database, limits);
    await first.app.get(ToolLimits).set({ id: 'ops', budget: { of: 'tokens', max: 9000, every: 'month' } }, OLGA);
    expect([await first.call(), await first.call()]).toEqual(['ok', 'ok']);
    const tokens = await first.used('ops');
    expect(tokens).toBeGreaterThan(0);
    await first.app.close();
    const second = await boot(database, limits);
    expect([await second.used('month'), await second.used('ops')]).toEqual([2, tokens]);
    expect([await second.call(), await second.call()]).toEqual(['ok', 'LIMIT_REACHED']);
    await second.app.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

describeOnPostgres('limits', (url) => {
  it('are never exceeded by two instances together, and a refused call consumes no units', async () => {
    const limits = {
      rules: [
        { id: 'all', rate: { calls: 1000, windowMs: 600_000 } },
        { id: 'ada', match: { userId: 'ada' }, rate: { calls: 30, windowMs: 600_000 } },
        { id: 'day', budget: { of: 'calls', max: 50, every: 'day' as const } },
      ],
    };
    const instances = await Promise.all([1, 2].map(() => boot({ url: url() }, limits)));
    const calls = Array.from({ length: 160 }, (_, i) => instances[i % 2]!.call(i % 4 < 2 ? 'ada' : 'bob'));
    const results = await Promise.all(calls);
    const ok = (user: boolean) => results.filter((result, i) => result === 'ok' && i % 4 < 2 === user).length;
    expect(ok(true)).toBeLessThanOrEqual(30);
    expect([...new Set(results)].toSorted()).toEqual(['LIMIT_REACHED', 'ok']);
    expect(ok(true) + ok(false)).toBe(50);
    for (const id of ['all', 'day']) expect(await instances[0]!.used(id)).toBe(50);
    expect(await instances[1]!.used('ada')).toBe(ok(true));
    await Promise.all(instances.map(({ app }) => app.close()));
  }, 120_000);

  it('of calls at the same time hold over two instances, also those of operators', async () => {
    const instances = await Promise.all([1, 2].map(() => boot({ url: url() })));
    const { revision } = await instances[0]!.app.get(ToolLimits).set({ id: 'four', concurrency: { calls: 4 } }, OLGA);
    const other = instances[1]!.app.get(ControlPlane);
    while ((other.snapshot()?.revision ?? 0) < revision) await new Promise((resolve) => setTimeout(resolve, 10));
    const results = await Promise.all(Array.from({ length: 60 }, (_, i) => instances[i % 2]!.call()));
    expect(instances.every(({ running }) => running.most <= 4)).toBe(true);
    expect(results.filter((result) => result === 'LIMIT_REACHED').length).toBeGreaterThan(0);
    expect(await instances[1]!.used('four')).toBe(0);
    await Promise.all(instances.map(({ app }) => app.close()));
  }, 120_000);

  it('free the calls of a process that was killed when they would have ended', async () => {
    const limits = { rules: [{ id: 'one', concurrency: { calls: 1 } }] };
    const survivor = await boot({ url: url() }, limits, 3000, 500);
    const child = spawn(
      process.execPath,
      [
        '-r',
        join(TEST, '../../../test/support/require-typescript.cjs'),
        join(TEST, 'holding-child.ts'),
        url(),
        JSON.stringify({ limits, tuning: { limits: { leaseSlackMs: 500 } } }),
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const exit = once(child, 'exit');
    for await (const line of createInterface(child.stdout)) {
      expect([line, await survivor.call()]).toEqual(['running', 'LIMIT_REACHED']);
      child.kill('SIGKILL');
    }
    expect(await exit).toEqual([null, 'SIGKILL']);
    // Held for 3.5 s from its beginning.
    let outcome = 'LIMIT_REACHED';
    while (outcome === 'LIMIT_REACHED') {
      outcome = await survivor.call();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(outcome).toBe('ok');
    await survivor.app.close();
  }, 120_000);
});
