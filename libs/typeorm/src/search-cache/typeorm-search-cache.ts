import { createHash, randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { SearchCache, ToolSearchError } from '@tool-search/core';
import type { DataSource } from 'typeorm';
import { type CachedEntry, expendableEntries } from './cache-eviction.js';
import { type BigInteger, type Parameter, runStatement } from '../database/run-statement.js';
import { searchCacheStatements } from './search-cache-statements.js';
import { TOOL_SEARCH_DATA_SOURCE } from '../database/tool-search-data-source.js';

/** Writing one part blocks the event loop for only a few milliseconds. */
const PART_BYTES = 256 * 1024;
const MAX_BYTES = 512 * 1024 * 1024;
const DROPPED_AT_ONCE = 4;
const READINGS = 3;

interface Head {
  readonly generation: string;
  readonly parts: number;
  readonly length: number;
  readonly checksum: string;
}

/**
 * Stores the search cache in SQLite or PostgreSQL. Each entry is split into parts, which are written and read in
 * separate transactions with a turn of the event loop in between, so that an entry of 100 MB blocks no other request.
 * Only complete entries are visible. Requires a DataSource made by `createDataSource`.
 */
@Injectable()
export class TypeOrmSearchCache extends SearchCache {
  readonly #sql: ReturnType<typeof searchCacheStatements>;

  constructor(@InjectDataSource(TOOL_SEARCH_DATA_SOURCE) private readonly dataSource: DataSource) {
    super();
    this.#sql = searchCacheStatements(dataSource);
  }

  override async read(kind: string, id: string): Promise<Uint8Array | undefined> {
    let seen = '';
    for (let reading = 0; reading < READINGS; reading++) {
      const head = await this.#head(kind, id);
      // The entry is damaged, unless another instance replaced it during the read.
      if (!head || head.generation === seen) return undefined;
      const bytes = await this.#bytes(head);
      if (bytes) return bytes;
      seen = head.generation;
    }
    return undefined;
  }

  /** @throws ToolSearchError `INTERNAL` for more than 512 MiB */
  override async write(kind: string, id: string, bytes: Uint8Array): Promise<void> {
    if (bytes.length > MAX_BYTES) {
      throw new ToolSearchError('INTERNAL', `An entry of ${bytes.length} bytes is too large for the search cache.`, {
        hint: `Keep entries below ${MAX_BYTES} bytes.`,
      });
    }
    const generation = randomUUID();
    await this.#run(this.#sql.begin, [generation, kind, id, Date.now()]);
    try {
      const { parts, checksum } = await this.#addParts(generation, bytes);
      const now = Date.now();
      await this.#run(this.#sql.complete, [parts, bytes.length, checksum, now, now, kind, generation]);
    } catch (error) {
      await this.#drop(generation).catch(() => undefined); // otherwise it is removed an hour later
      throw error;
    }
    // The entry is stored even if the cleanup fails; the next writer retries the cleanup.
    await this.#dropExpendable().catch(() => undefined);
  }

  async #head(kind: string, id: string): Promise<Head | undefined> {
    const { records } = await this.#run<Head>(this.#sql.find, [kind, id]);
    return records[0];
  }

  async #bytes({ generation, parts, length, checksum }: Head): Promise<Uint8Array | undefined> {
    if (length > MAX_BYTES) return undefined;
    const bytes = new Uint8Array(length);
    const hash = createHash('sha256');
    let filled = 0;
    for (let part = 0; part < parts; part++) {
      const { records } = await this.#run<{ bytes: Uint8Array }>(this.#sql.part, [generation, part]);
      const piece = records[0]?.bytes;
      if (!piece || filled + piece.length > length) return undefined;
      bytes.set(piece, filled);
      hash.update(piece);
      filled += piece.length;
      await setImmediate();
    }
    return filled === length && hash.digest('hex') === checksum ? bytes : undefined;
  }

  async #addParts(generation: string, bytes: Uint8Array): Promise<{ parts: number; checksum: string }> {
    const hash = createHash('sha256');
    let parts = 0;
    for (let start = 0; start < bytes.length; start += PART_BYTES) {
      const { buffer, byteOffset } = bytes;
      const piece = Buffer.from(buffer, byteOffset + start, Math.min(PART_BYTES, bytes.length - start));
      hash.update(piece);
      await this.#run(this.#sql.addPart, [generation, parts++, piece]);
      await setImmediate();
    }
    return { parts, checksum: hash.digest('hex') };
  }

  async #dropExpendable(): Promise<void> {
    type Row = Omit<CachedEntry, 'complete' | 'writtenAt'> & { complete: boolean | number; written_at: BigInteger };
    const { records } = await this.#run<Row>(this.#sql.list, []);
    const entries = records.map(({ complete, written_at, ...row }) => ({
      ...row,
      complete: Boolean(complete),
      writtenAt: Number(written_at),
    }));
    for (const { generation } of expendableEntries(entries, Date.now())) await this.#drop(generation);
  }

  async #drop(generation: string): Promise<void> {
    await this.#run(this.#sql.retire, [generation]);
    let dropped = 0;
    do {
      ({ affected: dropped = 0 } = await this.#run(this.#sql.dropParts, [generation, DROPPED_AT_ONCE]));
      await setImmediate();
    } while (dropped > 0);
    await this.#run(this.#sql.drop, [generation]);
  }

  #run<Row>(sql: string, parameters: readonly Parameter[]) {
    return runStatement<Row>(this.dataSource, sql, parameters);
  }
}
