import type { DataSource, EntityTarget, ObjectLiteral } from 'typeorm';

/** What the statements of SQLite and PostgreSQL differ in. */
export interface Dialect {
  readonly isPostgres: boolean;
  /** The quoted name of an entity's table, with its schema. */
  readonly table: (entity: EntityTarget<ObjectLiteral>) => string;
  /** A statement with `?` for each parameter, as the driver wants it. */
  readonly numbered: (sql: string) => string;
}

/** The dialect of a DataSource that has been initialized. */
export function dialectOf(dataSource: DataSource): Dialect {
  const isPostgres = dataSource.options.type === 'postgres';
  return {
    isPostgres,
    table: (entity) =>
      dataSource
        .getMetadata(entity)
        .tablePath.split('.')
        .map((part) => dataSource.driver.escape(part))
        .join('.'),
    numbered: (sql) => {
      let position = 0;
      return isPostgres ? sql.replaceAll('?', () => `$${++position}`) : sql;
    },
  };
}
