import { createHash, randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { ToolSearchError } from '@tool-search/core';
import { SearchCache } from '@tool-search/core/stores';
import { type DataSource, In, type Repository } from 'typeorm';
import { TOOL_SEARCH_DATA_SOURCE } from '../database/tool-search-data-source.js';
import { expendableEntries } from './cache-eviction.js';
import { SearchCacheEntryEntity } from './search-cache-entry.entity.js';
import { SearchCacheEntryRepository } from './search-cache-entry.repository.js';
import {
  PostgresSearchCachePartEntity,
  type SearchCachePartEntity,
  SqliteSearchCachePartEntity,
} from './search-cache-part.entity.js';

/** Writing one part blocks the event loop for only a few milliseconds. */
const PART_BYTES = 256 * 1024;
const MAX_BYTES = 512 * 1024 * 1024;
const DROPPED_AT_ONCE = 4;
const READINGS = 3;

/**
 * Stores the search cache in SQLite or PostgreSQL. Each entry is split into parts, which are written and read in
 * separate transactions with a turn of the event loop in between, so that an entry of 100 MB blocks no other request.
 * Only complete entries are visible. Requires a DataSource made by `createDataSource`.
 */
@Injectable()
export class TypeOrmSearchCache extends SearchCache {
  readonly #entries: SearchCacheEntryRepository;
  readonly #parts: Repository<SearchCachePartEntity>;

  constructor(@InjectDataSource(TOOL_SEARCH_DATA_SOURCE) dataSource: DataSource) {
    super();
    this.#entries = new SearchCacheEntryRepository(SearchCacheEntryEntity, dataSource.manager);
    const isPostgres = dataSource.options.type === 'postgres';
    this.#parts = dataSource.getRepository<SearchCachePartEntity>(
      isPostgres ? PostgresSearchCachePartEntity : SqliteSearchCachePartEntity,
    );
  }

  override async read(kind: string, id: string): Promise<Uint8Array | undefined> {
    let seen = '';
    for (let reading = 0; reading < READINGS; reading++) {
      const head = await this.#entries.findNewest(kind, id);
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
    await this.#entries.begin(generation, kind, id);
    try {
      const { parts, checksum } = await this.#addParts(generation, bytes);
      await this.#entries.complete(generation, kind, { parts, length: bytes.length, checksum });
    } catch (error) {
      await this.#drop(generation).catch(() => undefined); // otherwise it is removed an hour later
      throw error;
    }
    // The entry is stored even if the cleanup fails; the next writer retries the cleanup.
    await this.#dropExpendable().catch(() => undefined);
  }

  override async clear(): Promise<number> {
    const entries = await this.#entries.find({ select: { generation: true }, where: { complete: true } });
    for (const { generation } of entries) await this.#drop(generation);
    return entries.length;
  }

  async #bytes({ generation, parts, length, checksum }: SearchCacheEntryEntity): Promise<Uint8Array | undefined> {
    if (length > MAX_BYTES) return undefined;
    const bytes = new Uint8Array(length);
    const hash = createHash('sha256');
    let filled = 0;
    for (let part = 0; part < parts; part++) {
      const piece = (await this.#parts.findOneBy({ generation, part }))?.bytes;
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
      await this.#parts.insert({ generation, part: parts++, bytes: piece });
      await setImmediate();
    }
    return { parts, checksum: hash.digest('hex') };
  }

  async #dropExpendable(): Promise<void> {
    for (const { generation } of expendableEntries(await this.#entries.find(), Date.now()))
      await this.#drop(generation);
  }

  /** Retires the entry first, so that readers no longer find it. */
  async #drop(generation: string): Promise<void> {
    await this.#entries.retire(generation);
    for (;;) {
      const parts = await this.#parts.find({
        select: { generation: true, part: true },
        where: { generation },
        order: { part: 'ASC' },
        take: DROPPED_AT_ONCE,
      });
      if (parts.length === 0) break;
      await this.#parts.delete({ generation, part: In(parts.map(({ part }) => part)) });
      await setImmediate();
    }
    await this.#entries.delete({ generation });
  }
}
