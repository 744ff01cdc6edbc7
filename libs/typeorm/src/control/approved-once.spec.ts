import { FakeSource, openToolbox } from '@tool-search/core/testing';
import type { DataSource } from 'typeorm';
import { describeOnPostgres } from '../../test/describe-on-postgres.js';
import { emptied, emptySqlite } from '../../test/empty-database.js';
import { openPatiently } from '../../test/open-patiently.js';
import { TypeOrmControlStore } from './typeorm-control.store.js';

const PATIENCE = 120_000;
const REPEATS = 200;

/** Instances that share the stores, and what ran on all of them. */
async function instances(dataSources: readonly DataSource[]) {
  const ran: unknown[] = [];
  const worlds = await Promise.all(
    dataSources.map((dataSource) =>
      openToolbox({
        sources: [
          new FakeSource('billing', [{ name: 'refund', timeoutMs: PATIENCE, run: (input) => void ran.push(input) }]),
        ],
        policy: { approval: ['billing.refund'] },
        context: { tenantId: 'acme', userId: 'ada', sessionId: 's1' },
        controlStore: new TypeOrmControlStore(dataSource),
      }),
    ),
  );
  const call = async (index: number) => {
    // Half of them in another order of keys.
    const input = index % 2 ? { invoice: 'inv_1', cents: 5 } : { cents: 5, invoice: 'inv_1' };
    const result = await worlds[index % worlds.length]!.toolbox.call('billing.refund', input);
    return result.ok ? 'ok' : result.code;
  };
  return { worlds, ran, call, close: () => Promise.all(worlds.map((world) => world.close())) };
}

async function expectOneRun(dataSources: readonly DataSource[]): Promise<void> {
  const { worlds, ran, call, close } = await instances(dataSources);
  for (let round = 1; round <= 3; round++) {
    const asked = await Promise.all(Array.from({ length: 20 }, (_, index) => call(index)));
    expect(asked).toContain('APPROVAL_REQUIRED');
    expect(asked).not.toContain('ok');
    const [request, ...others] = await worlds[0]!.approvals.list({ limit: 9 });
    expect(others).toEqual([]);
    await worlds.at(-1)!.approvals.approve(request!.id, { actor: 'olga', reason: 'fine' });
    const codes = await Promise.all(Array.from({ length: REPEATS }, (_, index) => call(index)));
    expect(codes.filter((code) => code === 'ok')).toHaveLength(1);
    expect(ran).toHaveLength(round);
    // Late repeats may have asked anew, which is one request again.
    for (const { id } of await worlds[0]!.approvals.list({ limit: 9 })) {
      await worlds[0]!.control.store.claim('approval', id, 0, 0);
    }
  }
  await close();
}

const inFile = emptySqlite('file');

it(
  'an approved call runs once on SQLite, however many repeats there are',
  async () => expectOneRun([await inFile()]),
  PATIENCE,
);

describeOnPostgres('An approved call', (url) => {
  let dataSources: readonly DataSource[];
  beforeAll(async () => {
    dataSources = [await openPatiently(url()), await openPatiently(url())];
  });
  afterAll(() => Promise.all(dataSources.map((each) => each.destroy())));

  it(
    'runs once over two instances, however many repeats there are',
    async () => {
      await emptied(dataSources[0]!);
      await expectOneRun(dataSources);
    },
    PATIENCE,
  );
});
