import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import {
  addedCosts,
  ExampleQueryStore,
  type QueryClaim,
  type QueryClaimOutcome,
  type QueryResult,
  roomFor,
  type WritingCosts,
  type WrittenQueries,
} from '@tool-search/core/stores';
import type { QuerySubject } from '@tool-search/core/internal';
import type { DataSource } from 'typeorm';
import { Sql } from '../database/sql.js';
import { TOOL_SEARCH_DATA_SOURCE } from '../database/tool-search-data-source.js';
import { ExampleQueryCostsEntity } from './example-query-costs.entity.js';
import { ExampleQueryCostsRepository } from './example-query-costs.repository.js';
import { ExampleQueryEntity } from './example-query.entity.js';
import { ExampleQueryRepository } from './example-query.repository.js';

interface Locked {
  readonly queries: ExampleQueryRepository;
  readonly costs: ExampleQueryCostsRepository;
  /** The costs so far. */
  readonly spent: WritingCosts;
}

/**
 * Stores written example queries in SQLite or PostgreSQL. Claims and their ends first lock the row of the costs, so
 * they are serialized. Requires a DataSource made by `createDataSource`.
 */
@Injectable()
export class TypeOrmExampleQueryStore extends ExampleQueryStore {
  readonly #sql: Sql;
  readonly #queries: ExampleQueryRepository;
  readonly #costs: ExampleQueryCostsRepository;

  constructor(@InjectDataSource(TOOL_SEARCH_DATA_SOURCE) { manager }: DataSource) {
    super();
    this.#sql = new Sql(manager);
    this.#queries = new ExampleQueryRepository(ExampleQueryEntity, manager);
    this.#costs = new ExampleQueryCostsRepository(ExampleQueryCostsEntity, manager);
  }

  override find(hashes: readonly string[]): Promise<readonly WrittenQueries[]> {
    return this.#queries.listWritten(hashes);
  }

  override claim(claim: QueryClaim): Promise<QueryClaimOutcome> {
    const { subjects, now, each, limits, maxFailures } = claim;
    return this.#locked(async ({ queries, spent }) => {
      const known = await queries.findEach(subjects.map(({ hash }) => hash));
      let room = roomFor(limits, addedCosts(spent, await queries.reservedCosts(now)), each);
      const mine: QuerySubject[] = [];
      const busy: string[] = [];
      const settled: string[] = [];
      let isSpent = false;
      for (const subject of subjects) {
        const row = known.get(subject.hash);
        if (row && (row.queries !== null || row.failures >= maxFailures)) settled.push(subject.hash);
        else if (row && row.claimedUntil > now) busy.push(subject.hash);
        else if (room < 1) isSpent = true;
        else {
          room -= 1;
          mine.push(subject);
        }
      }
      await queries.claim(mine, claim, known);
      return { claimed: mine.map(({ hash }) => hash), busy, settled, isSpent };
    });
  }

  override finish(result: QueryResult): Promise<readonly string[]> {
    const { claimant, written, failed, released, keep } = result;
    return this.#locked(async ({ queries, costs, spent }) => {
      await costs.add(spent, result.costs);
      await queries.countFailures(claimant, failed);
      await queries.release(claimant, [...failed, ...released]);
      const stored: string[] = [];
      for (const each of written) {
        if (!(await queries.write(claimant, each))) continue;
        stored.push(each.hash);
        await queries.trim(each.owner, each.tool, keep);
      }
      return stored;
    });
  }

  override forget(filter: { hashes: readonly string[] } | { owner: string }): Promise<number> {
    return this.#locked(async ({ queries }) => {
      if ('owner' in filter) return (await queries.delete({ owner: filter.owner })).affected ?? 0;
      return queries.forget(filter.hashes);
    });
  }

  override costs(): Promise<WritingCosts> {
    return this.#costs.read();
  }

  #locked<T>(work: (locked: Locked) => Promise<T>): Promise<T> {
    return this.#sql.durably(async (manager) => {
      const costs = manager.withRepository(this.#costs);
      const spent = await costs.lock();
      return work({ queries: manager.withRepository(this.#queries), costs, spent });
    });
  }
}
