import { createHash } from 'node:crypto';
import { FIELD_WEIGHTS, type ToolText } from '@tool-search/core/internal';

/** The searchable fields of a tool. Each is a column of terms. */
export const FIELDS = Object.keys(FIELD_WEIGHTS) as (keyof ToolText)[];

export const TERM_COLUMNS = FIELDS.join(', ');

// unicode61 keeps combining marks with their letters: in many scripts they are vowels. Diacritics were already removed
// from the terms.
const TOKENIZER = `porter unicode61 remove_diacritics 0 categories ''L* N* Co M*''`;

const values = (row: 'new' | 'old') => FIELDS.map((field) => `${row}.${field}`).join(', ');
const removal = `INSERT INTO tools_fts(tools_fts, rowid, ${TERM_COLUMNS}) VALUES ('delete', old.id, ${values('old')});`;
const addition = `INSERT INTO tools_fts(rowid, ${TERM_COLUMNS}) VALUES (new.id, ${values('new')});`;

/**
 * The tables of the index. `tools` has one row for each definition in the catalog of some instance. Ids are never
 * reused, so a known id always means the same row. Merging is done by our code, because SQLite's automatic merge could
 * block the event loop.
 */
export const SCHEMA = `
CREATE TABLE tools (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT NOT NULL UNIQUE,
  used_at INTEGER NOT NULL,
  checksum TEXT NOT NULL,
  ${FIELDS.map((field) => `${field} TEXT NOT NULL`).join(',\n  ')}
);
CREATE INDEX tools_by_use ON tools(used_at);
CREATE TABLE removals (total INTEGER NOT NULL);
INSERT INTO removals VALUES (0);
CREATE VIRTUAL TABLE tools_fts USING fts5(${TERM_COLUMNS}, content = 'tools', content_rowid = 'id', tokenize = '${TOKENIZER}');
INSERT INTO tools_fts(tools_fts, rank) VALUES ('automerge', 0), ('crisismerge', 1999);
CREATE TRIGGER tools_added AFTER INSERT ON tools BEGIN ${addition} END;
CREATE TRIGGER tools_removed AFTER DELETE ON tools BEGIN ${removal} END;
CREATE TRIGGER tools_changed AFTER UPDATE OF ${TERM_COLUMNS} ON tools BEGIN ${removal} ${addition} END;
`;

/** Marks a SQLite file as ours (`PRAGMA application_id`). */
export const APPLICATION_ID = 0x54534649;

/** Schema version (`PRAGMA user_version`), derived from the schema itself: no manual counting. */
export const VERSION = createHash('sha256').update(SCHEMA).digest().readUInt32BE() >>> 1;

/** SQLite's bm25() over the columns; smaller is better. */
export const BM25 = `bm25(tools_fts, ${FIELDS.map((field) => FIELD_WEIGHTS[field].weight).join(', ')})`;
