import type { AcceptedTool, ControlKind } from '@tool-search/core/stores';
import type { DataSource } from 'typeorm';
import { describeOnPostgres } from '../../test/describe-on-postgres.js';
import { emptySqlite } from '../../test/empty-database.js';
import { openPatiently } from '../../test/open-patiently.js';
import { TypeOrmControlStore } from '../control/typeorm-control.store.js';
import { TypeOrmDefinitionStore } from '../definitions/typeorm-definition.store.js';
import { RemoveCanaries } from './remove-canaries.js';

const LETTERS = { owner: '', source: 'letters' };
const ALL = { limit: 10 };

const accepted = (tool: string): AcceptedTool => ({
  tool,
  fingerprint: 'f'.repeat(64),
  volatile: [],
  listed: true,
  acceptedAt: 1,
  origin: { name: tool },
});

function describeRemoval(open: () => Promise<DataSource>): void {
  it('removes shares and definitions of canaries, and nothing of their tools or of the audit trail', async () => {
    const dataSource = await open();
    const control = new TypeOrmControlStore(dataSource);
    const decided = async (kind: string, action: string) => {
      const said = { actor: 'olga', reason: 'r', tenantId: '', subject: 'letters.send', at: 1, idempotencyKey: '' };
      const value = { id: 'letters.send', tool: 'letters.send', sharePct: 40 };
      const put = { kind: kind as ControlKind, key: 'letters.send', tenantId: '', value, expiresAt: 0 };
      await control.change({ ...said, action, put });
    };
    await decided('canary', 'canary.set');
    await decided('limit', 'limit.set');
    const definitions = new TypeOrmDefinitionStore(dataSource);
    await definitions.register(LETTERS, ['send', 'send#canary', 'send_canary'].map(accepted));

    // As an earlier version left it, which did not know this migration.
    await dataSource.query(`DELETE FROM tool_search_migrations WHERE name = '${new RemoveCanaries().name}'`);
    await dataSource.runMigrations();

    const { records } = (await control.read()) ?? {};
    expect(records?.map(({ kind }) => kind)).toEqual(['limit']);
    expect(await control.list('canary' as ControlKind, ALL)).toEqual([]);
    expect((await control.audit({}, ALL)).map(({ action }) => action)).toEqual(['canary.set', 'limit.set']);
    expect([...(await definitions.origins(LETTERS)).keys()].toSorted()).toEqual(['send', 'send_canary']);
  });
}

describe('the migration that removes canaries on SQLite', () => {
  describeRemoval(emptySqlite());
});

describeOnPostgres('the migration that removes canaries', (url) => {
  let dataSource: DataSource;
  beforeAll(async () => {
    dataSource = await openPatiently(url());
  });
  afterAll(() => dataSource.destroy());
  describeRemoval(async () => dataSource);
});
