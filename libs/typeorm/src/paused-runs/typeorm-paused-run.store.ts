import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { MAX_PAUSED_RUNS, type PausedRun, PausedRunStore, type RunKey } from '@tool-search/core/stores';
import type { DataSource } from 'typeorm';
import { TOOL_SEARCH_DATA_SOURCE } from '../database/tool-search-data-source.js';
import { PausedRunEntity } from './paused-run.entity.js';
import { PausedRunRepository } from './paused-run.repository.js';

/** Stores paused runs in SQLite or PostgreSQL. Requires a DataSource made by `createDataSource`. */
@Injectable()
export class TypeOrmPausedRunStore extends PausedRunStore {
  readonly #runs: PausedRunRepository;

  constructor(@InjectDataSource(TOOL_SEARCH_DATA_SOURCE) { manager }: DataSource) {
    super();
    this.#runs = new PausedRunRepository(PausedRunEntity, manager);
  }

  override async save(run: PausedRun, maxPerTenant = MAX_PAUSED_RUNS): Promise<void> {
    await this.#runs.put(run);
    await this.#runs.trim(run.tenantId, maxPerTenant);
  }

  override find(key: RunKey): Promise<PausedRun | undefined> {
    return this.#runs.findRun(key);
  }

  override sweep(before: number, batch: number): Promise<number> {
    return this.#runs.sweep(before, batch);
  }
}
