import type { QueryClaim, WritingCosts, WrittenQueries } from '@tool-search/core/stores';
import type { QuerySubject } from '@tool-search/core/internal';
import { In, IsNull, MoreThan, Not, Repository } from 'typeorm';
import { batchesOf } from '../database/row-statements.js';
import type { ExampleQueryEntity } from './example-query.entity.js';

/** Keys of one statement; SQLite allows 32,766 parameters and blocks other requests while it runs. */
const BATCH = 200;

const UNCLAIMED = { claimedBy: '', claimedUntil: 0, reservedTokens: 0, reservedMicros: 0 };
const UNWRITTEN = { queries: null, writer: '', writtenAt: 0, failures: 0 };

/** Statements on written example queries and the claims of their writers. Claims are made while the costs are locked. */
export class ExampleQueryRepository extends Repository<ExampleQueryEntity> {
  /** Returns what was written for these definitions. */
  async listWritten(hashes: readonly string[]): Promise<readonly WrittenQueries[]> {
    const rows: ExampleQueryEntity[] = [];
    for (const hash of batchesOf(hashes, BATCH)) {
      rows.push(...(await this.findBy({ hash: In(hash), queries: Not(IsNull()) })));
    }
    return rows.map(({ hash, owner, tool, queries, writer, writtenAt }) => {
      return { hash, owner, tool, queries: queries ?? [], writer, writtenAt };
    });
  }

  /** Returns what is known of these definitions, by hash. */
  async findEach(hashes: readonly string[]): Promise<ReadonlyMap<string, ExampleQueryEntity>> {
    const known = new Map<string, ExampleQueryEntity>();
    for (const hash of batchesOf(hashes, BATCH)) {
      for (const row of await this.findBy({ hash: In(hash) })) known.set(row.hash, row);
    }
    return known;
  }

  /** Returns the costs that live claims have reserved. */
  async reservedCosts(now: number): Promise<WritingCosts> {
    const live = { claimedUntil: MoreThan(now) };
    const tokens = await this.sum('reservedTokens', live);
    const micros = await this.sum('reservedMicros', live);
    return { inputTokens: Number(tokens ?? 0), outputTokens: 0, micros: Number(micros ?? 0) };
  }

  /** Claims definitions for a writer. @param known what {@link findEach} returned for them */
  async claim(
    subjects: readonly QuerySubject[],
    { claimant, now, leaseMs, each }: Pick<QueryClaim, 'claimant' | 'now' | 'leaseMs' | 'each'>,
    known: ReadonlyMap<string, ExampleQueryEntity>,
  ): Promise<void> {
    const reservation = {
      claimedBy: claimant,
      claimedUntil: now + leaseMs,
      reservedTokens: each.inputTokens + each.outputTokens,
      reservedMicros: each.micros,
    };
    for (const batch of batchesOf(subjects, BATCH)) {
      const claimed = batch.map(({ hash, owner, tool }) => {
        const failures = known.get(hash)?.failures ?? 0;
        return { ...UNWRITTEN, hash, owner, tool, failures, ...reservation };
      });
      // `as never`: TypeORM's type of a written row does not end for JSON.
      await this.upsert(claimed as never, ['hash']);
    }
  }

  /** Counts one more failure of definitions that this writer has claimed. */
  async countFailures(claimant: string, hashes: readonly string[]): Promise<void> {
    for (const hash of batchesOf(hashes, BATCH)) {
      await this.increment({ hash: In(hash), claimedBy: claimant }, 'failures', 1);
    }
  }

  /** Ends claims of this writer. */
  async release(claimant: string, hashes: readonly string[]): Promise<void> {
    for (const hash of batchesOf(hashes, BATCH)) await this.update({ hash: In(hash), claimedBy: claimant }, UNCLAIMED);
  }

  /** Writes queries and ends the claim. Returns false if this writer has not claimed their definition. */
  async write(claimant: string, { hash, queries, writer, writtenAt }: WrittenQueries): Promise<boolean> {
    const now = { queries, writer, writtenAt, failures: 0, ...UNCLAIMED };
    const { affected } = await this.update({ hash, claimedBy: claimant }, now as never);
    return affected === 1;
  }

  /** Removes what was written for a tool's earlier definitions, but for the newest `keep`. */
  async trim(owner: string, tool: string, keep: number): Promise<void> {
    const old = await this.find({
      select: { hash: true },
      where: { owner, tool, queries: Not(IsNull()) },
      order: { writtenAt: 'DESC', hash: 'ASC' },
      skip: keep,
      take: BATCH,
    });
    if (old.length > 0) await this.delete({ hash: In(old.map((row) => row.hash)) });
  }

  /** Removes all that is known of definitions. Returns their number. */
  async forget(hashes: readonly string[]): Promise<number> {
    let gone = 0;
    for (const hash of batchesOf(hashes, BATCH)) gone += (await this.delete({ hash: In(hash) })).affected ?? 0;
    return gone;
  }
}
