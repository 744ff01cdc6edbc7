import { Repository } from 'typeorm';
import type { SearchCacheEntryEntity } from './search-cache-entry.entity.js';

/** Statements on the entries of the search cache. Their bytes are in parts. */
export class SearchCacheEntryRepository extends Repository<SearchCacheEntryEntity> {
  /** Returns the complete entry with this id, otherwise the newest of its kind. */
  async findNewest(kind: string, id: string): Promise<SearchCacheEntryEntity | null> {
    const order = { writtenAt: 'DESC', generation: 'ASC' } as const;
    const found = await this.findOne({ where: { kind, id, complete: true }, order });
    return found ?? this.findOne({ where: { kind, complete: true }, order });
  }

  /** Inserts an incomplete entry. */
  async begin(generation: string, kind: string, id: string): Promise<void> {
    const unfinished = { complete: false, parts: 0, length: 0, checksum: '', writtenAt: Date.now() };
    await this.insert({ generation, kind, id, ...unfinished });
  }

  /**
   * Lets readers find an entry whose parts are written. Instances' clocks differ, so its time is at least 1 ms after that of
   * the newest entry of the kind.
   */
  async complete(
    generation: string,
    kind: string,
    size: Pick<SearchCacheEntryEntity, 'parts' | 'length' | 'checksum'>,
  ): Promise<void> {
    const newest = this.createQueryBuilder('entry').select('MAX(entry.writtenAt)').where('entry.kind = :kind');
    const [later, now] = [`(${newest.getQuery()}) + 1`, Date.now()];
    await this.createQueryBuilder()
      .update()
      .set({ ...size, complete: true, writtenAt: () => `CASE WHEN ${later} > :now THEN ${later} ELSE :now END` })
      .where({ generation })
      .setParameters({ kind, now })
      .execute();
  }

  /** Hides an entry from readers, before its parts are removed. */
  async retire(generation: string): Promise<void> {
    await this.update({ generation }, { complete: false });
  }
}
