import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { type HeldLimits, type HeldResult, HeldResultStore, type ResultHolder } from '@tool-search/core/stores';
import { type DataSource, In, type Repository } from 'typeorm';
import { TOOL_SEARCH_DATA_SOURCE } from '../database/tool-search-data-source.js';
import { HeldResultEntity } from './held-result.entity.js';
import { HeldResultRepository, ownerOf } from './held-result.repository.js';
import {
  type HeldResultPartEntity,
  PostgresHeldResultPartEntity,
  SqliteHeldResultPartEntity,
} from './held-result-part.entity.js';

/** Writing one part blocks the event loop for only a few milliseconds. */
const PART_BYTES = 256 * 1024;
const DROPPED_AT_ONCE = 4;
/** Results over a limit that are removed at once: more than one only if a limit was lowered. */
const REMOVED_AT_ONCE = 100;

/**
 * Stores held results in SQLite or PostgreSQL, each in parts that are written and read in separate transactions. Only
 * complete results are visible. Requires a DataSource made by `createDataSource`.
 */
@Injectable()
export class TypeOrmHeldResultStore extends HeldResultStore {
  readonly #results: HeldResultRepository;
  readonly #parts: Repository<HeldResultPartEntity>;

  constructor(@InjectDataSource(TOOL_SEARCH_DATA_SOURCE) dataSource: DataSource) {
    super();
    this.#results = new HeldResultRepository(HeldResultEntity, dataSource.manager);
    const isPostgres = dataSource.options.type === 'postgres';
    this.#parts = dataSource.getRepository<HeldResultPartEntity>(
      isPostgres ? PostgresHeldResultPartEntity : SqliteHeldResultPartEntity,
    );
  }

  override async hold(handle: string, holder: ResultHolder, result: HeldResult, limits: HeldLimits): Promise<void> {
    const { tool, body } = result;
    if (body.length > limits.bytesOfTenant) return;
    await this.#results.begin({ handle, ...ownerOf(holder), tool, length: body.length }, limits.forMs);
    try {
      for (let part = 0; part * PART_BYTES < body.length; part++) {
        const bytes = Buffer.from(body.subarray(part * PART_BYTES, (part + 1) * PART_BYTES));
        await this.#parts.insert({ handle, part, bytes });
        await setImmediate();
      }
      await this.#results.setComplete(handle, true);
    } catch (error) {
      // A newer result has removed this one meanwhile, as one over the limits: it was stored, and is gone.
      if (await this.#isRemoved(handle)) return;
      await this.#drop(handle).catch(() => undefined); // otherwise it is removed when it expires
      throw error;
    }
    // The result is stored even if this fails; the next one tries again.
    await this.#removeOverLimits(handle, holder, limits).catch(() => undefined);
  }

  override async find(handle: string, holder: ResultHolder): Promise<HeldResult | undefined> {
    const found = await this.#results.findLive(handle, holder);
    if (!found) return undefined;
    const body = new Uint8Array(found.length);
    let filled = 0;
    for (let part = 0; filled < found.length; part++) {
      const piece = (await this.#parts.findOneBy({ handle, part }))?.bytes;
      // Removed meanwhile.
      if (!piece || piece.length === 0 || filled + piece.length > found.length) return undefined;
      body.set(piece, filled);
      filled += piece.length;
      await setImmediate();
    }
    return { tool: found.tool, body };
  }

  override async sweep(batch: number): Promise<number> {
    const expired = await this.#results.listExpired(batch);
    for (const handle of expired) await this.#drop(handle);
    return expired.length;
  }

  async #removeOverLimits(handle: string, holder: ResultHolder, { ofHolder, bytesOfTenant }: HeldLimits) {
    const tooMany = await this.#results.listBeyond(holder, ofHolder, REMOVED_AT_ONCE);
    for (const each of tooMany) if (each !== handle) await this.#drop(each);
    const { tenantId } = holder;
    let tenantBytes = (await this.#results.sum('length', { tenantId })) ?? 0;
    while (tenantBytes > bytesOfTenant) {
      const oldest = await this.#results.findOldest(tenantId);
      if (!oldest || oldest.handle === handle) return;
      await this.#drop(oldest.handle);
      tenantBytes -= oldest.length;
    }
  }

  async #isRemoved(handle: string): Promise<boolean> {
    return !(await this.#results.existsBy({ handle }).catch(() => true));
  }

  /** Retires the result first, so that readers no longer find it. */
  async #drop(handle: string): Promise<void> {
    await this.#results.setComplete(handle, false);
    for (;;) {
      const parts = await this.#parts.find({
        select: { handle: true, part: true },
        where: { handle },
        order: { part: 'ASC' },
        take: DROPPED_AT_ONCE,
      });
      if (parts.length === 0) break;
      await this.#parts.delete({ handle, part: In(parts.map(({ part }) => part)) });
      await setImmediate();
    }
    await this.#results.delete({ handle });
  }
}
