import { batchesOf } from '../database/row-statements.js';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import {
  addedCosts,
  ExampleQueryStore,
  NO_COSTS,
  type QueryClaim,
  type QueryClaimOutcome,
  type QueryResult,
  type QuerySubject,
  roomFor,
  type WritingCosts,
  type WrittenQueries,
} from '@tool-search/core/stores';
import { type DataSource, type EntityManager, In, IsNull, MoreThan, Not } from 'typeorm';
import { Sql } from '../database/sql.js';
import { TOOL_SEARCH_DATA_SOURCE } from '../database/tool-search-data-source.js';
import { ExampleQueryCostsEntity } from './example-query-costs.entity.js';
import { ExampleQueryEntity } from './example-query.entity.js';

const COSTS = { id: 1 };
/** Keys of one statement; SQLite allows 32,766 parameters and blocks other requests while it runs. */
const BATCH = 200;

const UNCLAIMED = { claimedBy: '', claimedUntil: 0, reservedTokens: 0, reservedMicros: 0 };
const UNWRITTEN = { queries: null, writer: '', writtenAt: 0, failures: 0 };

/**
 * Stores written example queries in SQLite or PostgreSQL. Claims and their ends first lock the row of the costs, so
 * they are serialized. Requires a DataSource made by `createDataSource`.
 */
@Injectable()
export class TypeOrmExampleQueryStore extends ExampleQueryStore {
  readonly #sql: Sql;

  constructor(@InjectDataSource(TOOL_SEARCH_DATA_SOURCE) private readonly dataSource: DataSource) {
    super();
    this.#sql = new Sql(dataSource.manager);
  }

  override async find(hashes: readonly string[]): Promise<readonly WrittenQueries[]> {
    const rows: ExampleQueryEntity[] = [];
    for (const hash of batchesOf(hashes, BATCH)) {
      rows.push(
        ...(await this.dataSource.manager.findBy(ExampleQueryEntity, { hash: In(hash), queries: Not(IsNull()) })),
      );
    }
    return rows.map(({ hash, owner, tool, queries, writer, writtenAt }) => {
      return { hash, owner, tool, queries: queries ?? [], writer, writtenAt };
    });
  }

  override claim(claim: QueryClaim): Promise<QueryClaimOutcome> {
    const { claimant, subjects, now, leaseMs, each, limits, maxFailures } = claim;
    return this.#locked(async (manager, costs) => {
      const hashes = subjects.map(({ hash }) => hash);
      const known = new Map<string, ExampleQueryEntity>();
      for (const hash of batchesOf(hashes, BATCH)) {
        for (const row of await manager.findBy(ExampleQueryEntity, { hash: In(hash) })) known.set(row.hash, row);
      }
      let room = roomFor(limits, addedCosts(costs, await reserved(manager, now)), each);
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
      const reservation = {
        claimedBy: claimant,
        claimedUntil: now + leaseMs,
        reservedTokens: each.inputTokens + each.outputTokens,
        reservedMicros: each.micros,
      };
      for (const batch of batchesOf(mine, BATCH)) {
        const claimed = batch.map(({ hash, owner, tool }) => {
          const failures = known.get(hash)?.failures ?? 0;
          return { ...UNWRITTEN, hash, owner, tool, failures, ...reservation };
        });
        // `as never`: TypeORM's type of a written row does not end for JSON.
        await manager.upsert(ExampleQueryEntity, claimed as never, ['hash']);
      }
      return { claimed: mine.map(({ hash }) => hash), busy, settled, isSpent };
    });
  }

  override finish({ claimant, written, failed, released, costs, keep }: QueryResult): Promise<readonly string[]> {
    return this.#locked(async (manager, before) => {
      await manager.upsert(ExampleQueryCostsEntity, { ...COSTS, ...addedCosts(before, costs) }, ['id']);
      const claimed = (hash: readonly string[]) => ({ hash: In(hash), claimedBy: claimant });
      for (const batch of batchesOf(failed, BATCH)) {
        await manager.increment(ExampleQueryEntity, claimed(batch), 'failures', 1);
      }
      for (const batch of batchesOf([...failed, ...released], BATCH)) {
        await manager.update(ExampleQueryEntity, claimed(batch), UNCLAIMED);
      }
      const stored: string[] = [];
      for (const { hash, owner, tool, queries, writer, writtenAt } of written) {
        const now = { queries, writer, writtenAt, failures: 0, ...UNCLAIMED };
        const { affected } = await manager.update(ExampleQueryEntity, claimed([hash]), now as never);
        if (affected !== 1) continue;
        stored.push(hash);
        const old = await manager.find(ExampleQueryEntity, {
          select: { hash: true },
          where: { owner, tool, queries: Not(IsNull()) },
          order: { writtenAt: 'DESC', hash: 'ASC' },
          skip: keep,
          take: BATCH,
        });
        if (old.length > 0) await manager.delete(ExampleQueryEntity, { hash: In(old.map((row) => row.hash)) });
      }
      return stored;
    });
  }

  override forget(filter: { hashes: readonly string[] } | { owner: string }): Promise<number> {
    return this.#locked(async (manager) => {
      if ('owner' in filter) return (await manager.delete(ExampleQueryEntity, { owner: filter.owner })).affected ?? 0;
      let gone = 0;
      for (const hash of batchesOf(filter.hashes, BATCH)) {
        gone += (await manager.delete(ExampleQueryEntity, { hash: In(hash) })).affected ?? 0;
      }
      return gone;
    });
  }

  override async costs(): Promise<WritingCosts> {
    return costsOf(await this.dataSource.manager.findOneBy(ExampleQueryCostsEntity, COSTS));
  }

  #locked<T>(work: (manager: EntityManager, costs: WritingCosts) => Promise<T>): Promise<T> {
    return this.#sql.durably(async (manager) => {
      await this.#sql.boundLocks(manager);
      // The first transaction of all creates the row; another one waits for it.
      await manager
        .createQueryBuilder()
        .insert()
        .into(ExampleQueryCostsEntity)
        .values({ ...COSTS, ...NO_COSTS })
        .orIgnore()
        .execute();
      const row = await manager.findOne(ExampleQueryCostsEntity, { where: COSTS, ...this.#sql.lock });
      return work(manager, costsOf(row));
    });
  }
}

async function reserved(manager: EntityManager, now: number): Promise<WritingCosts> {
  const live = { claimedUntil: MoreThan(now) };
  const tokens = await manager.sum(ExampleQueryEntity, 'reservedTokens', live);
  const micros = await manager.sum(ExampleQueryEntity, 'reservedMicros', live);
  return { inputTokens: Number(tokens ?? 0), outputTokens: 0, micros: Number(micros ?? 0) };
}

function costsOf(row: ExampleQueryCostsEntity | null): WritingCosts {
  if (!row) return NO_COSTS;
  const { inputTokens, outputTokens, micros } = row;
  return { inputTokens, outputTokens, micros };
}
