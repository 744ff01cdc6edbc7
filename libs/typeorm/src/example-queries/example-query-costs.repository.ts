import { addedCosts, NO_COSTS, type WritingCosts } from '@tool-search/core/stores';
import { Repository } from 'typeorm';
import { Sql } from '../database/sql.js';
import type { ExampleQueryCostsEntity } from './example-query-costs.entity.js';

const ROW = { id: 1 };

/** Statements on the costs of writing. Their one row is the lock for all claims. */
export class ExampleQueryCostsRepository extends Repository<ExampleQueryCostsEntity> {
  readonly #sql = new Sql(this.manager);

  /** Returns the costs so far. */
  async read(): Promise<WritingCosts> {
    return costsOf(await this.findOneBy(ROW));
  }

  /** Locks the costs until the transaction ends, and returns them. */
  async lock(): Promise<WritingCosts> {
    await this.#sql.boundLocks(this.manager);
    // The first transaction of all creates the row; another one waits for it.
    await this.createQueryBuilder()
      .insert()
      .values({ ...ROW, ...NO_COSTS })
      .orIgnore()
      .execute();
    return costsOf(await this.findOne({ where: ROW, ...this.#sql.lock }));
  }

  /** Adds costs to the locked ones. */
  async add(before: WritingCosts, costs: WritingCosts): Promise<void> {
    await this.upsert({ ...ROW, ...addedCosts(before, costs) }, ['id']);
  }
}

function costsOf(row: ExampleQueryCostsEntity | null): WritingCosts {
  if (!row) return NO_COSTS;
  const { inputTokens, outputTokens, micros } = row;
  return { inputTokens, outputTokens, micros };
}
