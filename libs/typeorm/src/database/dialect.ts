import type { DataSource, EntityTarget, ObjectLiteral } from 'typeorm';

/** The differences between SQLite and PostgreSQL statements. */
export interface Dialect {
  readonly isPostgres: boolean;
  /** Returns the quoted name of an entity's table, with its schema. */
  readonly table: (entity: EntityTarget<ObjectLiteral>) => string;
  /** Converts each `?` of a statement to the driver's placeholder. */
  readonly numbered: (sql: string) => string;
}

/** Returns the dialect of an initialized DataSource. */
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
