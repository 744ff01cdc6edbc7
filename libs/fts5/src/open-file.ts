import type { SqliteDatabase } from './file/sqlite-database.js';
import { ToolTable } from './rows/tool-table.js';
import { ViewTables } from './query/view-tables.js';

/** The index's open database with its prepared statements. */
export class OpenFile {
  readonly tools: ToolTable;
  readonly views: ViewTables;
  isClosed = false;

  constructor(readonly db: SqliteDatabase) {
    this.tools = new ToolTable(db);
    this.views = new ViewTables(db);
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.db.close();
  }
}
