import { type Stats, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { InjectDataSource } from '@nestjs/typeorm';
import { ToolSearchError } from '@tool-search/core';
import { isObject } from '@tool-search/core/internal';
import type { DataSource } from 'typeorm';
import { TOOL_SEARCH_DATA_SOURCE } from './tool-search-data-source.js';

const DESCRIPTORS = '/proc/self/fd';
const WRITES = 0o3;

/** The library's own connections to files in this process, those of another copy of this package among them. */
const own = ownConnections();

function ownConnections(): Set<DataSource> {
  const key = Symbol.for('@tool-search/typeorm: own connections');
  const places = globalThis as unknown as Record<symbol, Set<DataSource> | undefined>;
  return (places[key] ??= new Set());
}

/** Counts a DataSource as one of the library, until it is closed. */
export function countAsOwn(dataSource: DataSource): void {
  for (const each of own) if (!each.isInitialized) own.delete(each);
  own.add(dataSource);
}

/**
 * Refuses to boot if this process has another connection to the SQLite file that can write: its transactions and those of
 * ToolSearch would wait for each other without letting the event loop run. Seen are DataSources of the application, and on
 * Linux every open file; connections of other processes are not looked for.
 */
@Injectable()
export class SoleConnection implements OnApplicationBootstrap {
  constructor(
    @InjectDataSource(TOOL_SEARCH_DATA_SOURCE) private readonly dataSource: DataSource,
    private readonly discovery: DiscoveryService,
  ) {}

  /** @throws ToolSearchError `INVALID_CONFIGURATION` */
  onApplicationBootstrap(): void {
    const { type, database } = this.dataSource.options;
    if (type !== 'better-sqlite3' || database === ':memory:') return;
    const instances = this.discovery.getProviders().map(({ instance }) => instance as unknown);
    const isShared = instances.some((each) => each !== this.dataSource && usesFile(each, database));
    if (isShared || hasStrangeDescriptor(database)) throw shared(database);
  }
}

/** Whether a provider is an open DataSource, of any copy of TypeORM, on this SQLite file. */
function usesFile(provider: unknown, path: string): boolean {
  try {
    if (!isObject(provider) || provider['isInitialized'] !== true || !isObject(provider['options'])) return false;
    if (own.has(provider as never)) return false;
    const { type, database, readonly } = provider['options'];
    if (typeof database !== 'string' || !String(type).includes('sqlite') || readonly === true) return false;
    return realPath(database) === realPath(path);
  } catch {
    // A provider may be a proxy that refuses to be read now, for example one for the current request.
    return false;
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

/** Whether this process has the file open more often for writing than the library's own connections explain. */
function hasStrangeDescriptor(path: string): boolean {
  try {
    const file = statSync(path);
    const known = [...own].filter(
      ({ isInitialized, options }) => isInitialized && isSame(String(options.database), file),
    );
    const open = readdirSync(DESCRIPTORS).filter((id) => isSame(`${DESCRIPTORS}/${id}`, file) && canWrite(id));
    return open.length > known.length;
  } catch {
    // Only Linux lists the open files.
    return false;
  }
}

function isSame(path: string, file: Stats): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.dev === file.dev && found.ino === file.ino;
}

function canWrite(descriptor: string): boolean {
  const [, flags = '0'] = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8')) ?? [];
  return (Number.parseInt(flags, 8) & WRITES) !== 0;
}

function shared(database: string): ToolSearchError {
  return new ToolSearchError(
    'INVALID_CONFIGURATION',
    `The application has opened ${database}, the SQLite file of ToolSearch, with a connection of its own.`,
    {
      hint:
        'Give your DataSource another file. To read the tables of ToolSearch, inject the repositories of its entities ' +
        '(TOOL_SEARCH_DATA_SOURCE), or open the file read-only.',
    },
  );
}
