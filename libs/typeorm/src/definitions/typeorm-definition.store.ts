import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import {
  type AcceptedTool,
  DefinitionStore,
  type PinChange,
  type SourceKey,
  type SourcePins,
} from '@tool-search/core/stores';
import type { DataSource } from 'typeorm';
import { Sql } from '../database/sql.js';
import { TOOL_SEARCH_DATA_SOURCE } from '../database/tool-search-data-source.js';
import { DefinitionSourceEntity } from './definition-source.entity.js';
import { DefinitionSourceRepository } from './definition-source.repository.js';
import { DefinitionEntity } from './definition.entity.js';
import { DefinitionRepository } from './definition.repository.js';

const KEEP_GONE = 1_000;

/**
 * Stores the tool definitions of sources in SQLite or PostgreSQL. Each change first locks the row of its source, so
 * changes are serialized. An acknowledged change survives a power failure. Requires a DataSource made by
 * `createDataSource`.
 */
@Injectable()
export class TypeOrmDefinitionStore extends DefinitionStore {
  readonly #sql: Sql;
  readonly #sources: DefinitionSourceRepository;
  readonly #definitions: DefinitionRepository;

  constructor(@InjectDataSource(TOOL_SEARCH_DATA_SOURCE) private readonly dataSource: DataSource) {
    super();
    this.#sql = new Sql(dataSource.manager);
    this.#sources = new DefinitionSourceRepository(DefinitionSourceEntity, dataSource.manager);
    this.#definitions = new DefinitionRepository(DefinitionEntity, dataSource.manager);
  }

  override async pins(key: SourceKey, known?: number): Promise<SourcePins | 'unchanged' | undefined> {
    if (known !== undefined) {
      const revision = await this.#sources.revisionOf(key);
      if (revision === undefined) return undefined;
      if (revision === known) return 'unchanged';
    }
    return this.#definitions.listPins(key);
  }

  /** All results are of one moment: a concurrent change is seen completely or not at all. */
  override async origins(
    key: SourceKey,
    tools?: readonly string[],
  ): Promise<ReadonlyMap<string, AcceptedTool['origin']>> {
    const found = new Map<string, AcceptedTool['origin']>();
    await this.dataSource.transaction(this.#sql.isPostgres ? 'REPEATABLE READ' : 'SERIALIZABLE', async (manager) => {
      for await (const batch of manager.withRepository(this.#definitions).readOrigins(key, tools)) {
        for (const [tool, origin] of batch) found.set(tool, origin);
      }
    });
    return found;
  }

  override async register(key: SourceKey, tools: readonly AcceptedTool[]): Promise<void> {
    await this.#changing(async (sources, definitions) => {
      if (await sources.register(key)) await definitions.put(key, tools);
    });
  }

  override async change(key: SourceKey, { accepted, gone }: PinChange, keepGone = KEEP_GONE): Promise<void> {
    await this.#changing(async (sources, definitions) => {
      await sources.claim(key);
      await definitions.put(key, accepted);
      await definitions.setGone(key, gone);
      await definitions.forgetGone(key, keepGone);
    });
  }

  override forget(key: SourceKey): Promise<void> {
    return this.#sources.forget(key);
  }

  #changing(
    work: (sources: DefinitionSourceRepository, definitions: DefinitionRepository) => Promise<void>,
  ): Promise<void> {
    return this.#sql.durably(async (manager) => {
      await this.#sql.boundLocks(manager);
      await work(manager.withRepository(this.#sources), manager.withRepository(this.#definitions));
    });
  }
}
