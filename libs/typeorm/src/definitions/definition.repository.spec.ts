import type { AcceptedTool } from '@tool-search/core/stores';
import type { DataSource } from 'typeorm';
import { describeOnPostgres } from '../../test/describe-on-postgres.js';
import { emptied, emptySqlite } from '../../test/empty-database.js';
import { openPatiently } from '../../test/open-patiently.js';
import { DefinitionEntity } from './definition.entity.js';
import { DefinitionRepository } from './definition.repository.js';
import { TypeOrmDefinitionStore } from './typeorm-definition.store.js';

const KEY = { owner: 'acme', source: 'docs' };
const tool = (name: string, listed = true): AcceptedTool => ({
  tool: name,
  fingerprint: 'f'.repeat(64),
  volatile: [],
  listed,
  acceptedAt: 1,
  origin: { description: name },
});

function describeRepository(open: () => Promise<DataSource>): void {
  let dataSource: DataSource;
  let definitions: DefinitionRepository;
  beforeEach(async () => {
    dataSource = await open();
    definitions = new DefinitionRepository(DefinitionEntity, dataSource.manager);
    await new TypeOrmDefinitionStore(dataSource).register(KEY, [tool('a'), tool('b'), tool('c', false)]);
  });
  const named = async (repository: DefinitionRepository, tools?: readonly string[]) => {
    const found: string[] = [];
    for await (const batch of repository.readOrigins(KEY, tools)) found.push(...batch.map(([name]) => name));
    return found.toSorted();
  };

  it('has the methods of TypeORM beside the statements of the store', async () => {
    expect(await definitions.countBy({ listed: true })).toBe(2);
    const { pins = [] } = (await definitions.listPins(KEY)) ?? {};
    expect(pins.map(({ tool: name }) => name).toSorted()).toEqual(['a', 'b', 'c']);
    expect(await definitions.listPins({ ...KEY, owner: '' })).toBeUndefined();
    expect(await named(definitions)).toEqual(['a', 'b']);
    expect(await named(definitions, ['c', 'd'])).toEqual(['c']);
  });

  it('runs its statements in the transaction that it is given', async () => {
    const change = dataSource.transaction(async (manager) => {
      const inside = manager.withRepository(definitions);
      await inside.setGone(KEY, ['a']);
      await inside.put(KEY, [tool('d')]);
      expect(await named(inside)).toEqual(['b', 'd']);
      await inside.forgetGone(KEY, 0);
      expect(await inside.count()).toBe(2);
      throw new Error('rolled back');
    });
    await expect(change).rejects.toThrow('rolled back');
    expect(await named(definitions)).toEqual(['a', 'b']);
    expect(await definitions.count()).toBe(3);
  });
}

describe('DefinitionRepository on SQLite', () => {
  const empty = emptySqlite();
  describeRepository(empty);
});

describeOnPostgres('DefinitionRepository', (url) => {
  let dataSource: DataSource;
  beforeAll(async () => {
    dataSource = await openPatiently(url());
  });
  afterAll(() => dataSource.destroy());
  describeRepository(() => emptied(dataSource));
});
