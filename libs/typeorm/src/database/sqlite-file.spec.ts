import { copyFile, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ControlPlane, ToolEvents } from '@tool-search/core';
import { controlSettings } from '@tool-search/core/testing';
import type { ControlChange } from '@tool-search/core/stores';
import { ControlRecordRepository } from '../control/control-record.repository.js';
import { TypeOrmControlStore } from '../control/typeorm-control.store.js';
import { createDataSource } from './create-data-source.js';
import { dataSourceOptions } from './data-source-options.js';
import { CONTROL_KINDS } from '@tool-search/core/operators';

const SWITCH: ControlChange = {
  action: 'kill_switch.engaged',
  actor: 'olga',
  reason: 'incident',
  subject: 'tool:a.b',
  tenantId: '',
  at: 1,
  idempotencyKey: '',
};

describe('a SQLite file that is in use', () => {
  let directory: string;
  let database: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tool-search-'));
    database = join(directory, 'a.sqlite');
  });
  afterEach(() => rm(directory, { recursive: true }));

  async function open() {
    const dataSource = await createDataSource(dataSourceOptions({ database }));
    const store = new TypeOrmControlStore(dataSource);
    await store.change(SWITCH);
    return { dataSource, store };
  }

  it.each<[string, () => Promise<unknown>]>([
    ['is deleted', () => rm(database)],
    ['loses its -wal', () => rm(`${database}-wal`)],
    ['is replaced', () => copyFile(database, `${database}.copy`).then(() => rename(`${database}.copy`, database))],
  ])('and %s is written no more; what it held can still be read', async (_, lose) => {
    const { dataSource, store } = await open();
    await lose();
    await expect(store.read()).rejects.toMatchObject({ code: 'GATE_CLOSED', hint: expect.stringContaining('Export') });
    await expect(store.change(SWITCH)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    await expect(store.beat('a', 1)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(await store.audit({}, { limit: 9 })).toHaveLength(1);
    await dataSource.destroy();
  });

  it('and is deleted in the middle of a change does not acknowledge it', async () => {
    const { dataSource, store } = await open();
    const replay = jest.spyOn(ControlRecordRepository.prototype, 'findRecord').mockImplementationOnce(async () => {
      await rm(database);
      return undefined;
    });
    const put = { kind: 'kill_switch', key: 'k', tenantId: '', value: {}, expiresAt: 0 } as const;
    await expect(store.change({ ...SWITCH, put })).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(replay).toHaveBeenCalledTimes(1);
    await dataSource.destroy();
  });

  it('and is moved away counts again when it is back', async () => {
    const { dataSource, store } = await open();
    await rename(database, `${database}.away`);
    await expect(store.read()).rejects.toMatchObject({ code: 'GATE_CLOSED' });
    await rename(`${database}.away`, database);
    expect(await store.read()).toMatchObject({ revision: 0 });
    expect(await store.change(SWITCH)).toMatchObject({ outcome: 'changed' });
    await dataSource.destroy();
  });

  it('and is deleted closes the gate by itself, without waiting for the next poll', async () => {
    const { dataSource, store } = await open();
    const events = new ToolEvents();
    const closed = new Promise((resolve) => events.on('control.health_changed', resolve));
    const plane = new ControlPlane(store, CONTROL_KINDS, events, controlSettings({ pollMs: 1e9 }));
    await plane.start();
    expect(plane.current().revision).toBe(0);
    await rm(database);
    expect(await closed).toMatchObject({ state: 'closed', reason: expect.stringContaining('deleted') });
    expect(() => plane.current()).toThrow('No tool can be used');
    await plane.stop();
    await dataSource.destroy();
  });

  it('is not lost when the application closes it, which deletes its -wal', async () => {
    const { dataSource, store } = await open();
    await store.beforeApplicationShutdown();
    await dataSource.destroy();
    await expect(store.read()).rejects.not.toMatchObject({ code: 'GATE_CLOSED' });
  });

  it('is not asked for where the database is in memory', async () => {
    const dataSource = await createDataSource(dataSourceOptions({ database: ':memory:' }));
    const store = new TypeOrmControlStore(dataSource);
    expect([await store.read(), store.watch]).toEqual([{ revision: 0, records: [] }, undefined]);
    await dataSource.destroy();
  });
});
