import { createHash } from 'node:crypto';
import { FIELD_WEIGHTS, type ToolText } from '@tool-search/core';

/** The searchable fields of a tool, each of them a column of terms. */
export const FIELDS = Object.keys(FIELD_WEIGHTS) as (keyof ToolText)[];

/** The columns of a tool's terms, as a list in SQL. */
export const TERM_COLUMNS = FIELDS.join(', ');

// unicode61 keeps combining marks together with their letters: in many scripts they are vowels. The terms have been
// stripped of diacritics before.
const TOKENIZER = `porter unicode61 remove_diacritics 0 categories ''L* N* Co M*''`;

const values = (row: 'new' | 'old') => FIELDS.map((field) => `${row}.${field}`).join(', ');
const removal = `INSERT INTO tools_fts(tools_fts, rowid, ${TERM_COLUMNS}) VALUES ('delete', old.id, ${values('old')});`;
const addition = `INSERT INTO tools_fts(rowid, ${TERM_COLUMNS}) VALUES (new.id, ${values('new')});`;

/**
 * The tables of the index. `tools` has one row for each definition that some instance has in its catalog: ids are never
 * used twice, so a row with a known id is the known row. Merging is left to us: SQLite's own could block the loop.
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

/** Marks a SQLite file as ours (\`PRAGMA application_id\`). */
export const APPLICATION_ID = 0x54534649;

/** Names the tables' form (\`PRAGMA user_version\`): another form is another version, nobody has to count. */
export const VERSION = createHash('sha256').update(SCHEMA).digest().readUInt32BE() >>> 1;

/** SQLite's bm25() over the columns; the smaller, the better. */
export const BM25 = `bm25(tools_fts, ${FIELDS.map((field) => FIELD_WEIGHTS[field].weight).join(', ')})`;
