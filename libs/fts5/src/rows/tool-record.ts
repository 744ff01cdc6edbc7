import { createHash } from 'node:crypto';
import type { ToolDefinition } from '@tool-search/core';
import { toolText } from '@tool-search/core/engine';
import { analysisStamp, fieldTerms, searchHashOf } from '@tool-search/core/internal';
import { FIELDS } from '../file/search-schema.js';

const MAX_REPETITIONS = 3;

/** Identifies a stored tool by its definition and the version of the analysis. Equal keys have equal records. */
export function recordKey(tool: ToolDefinition): string {
  return `${searchHashOf(tool)}.${analysisStamp()}`;
}

/** Analyzes one tool: its key, the checksum, and the terms of each field in column order. */
export function toolRecord(tool: ToolDefinition) {
  const key = recordKey(tool);
  const text = toolText(tool);
  const terms = FIELDS.map((field) => {
    const { words, wholes } = fieldTerms(text[field]);
    return [...capped(words), ...capped(wholes)].join(' ');
  });
  return { key, checksum: checksumOf(key, terms), terms };
}

/** FTS5 counts every repetition of a word; a description must not rank higher only by repeating itself. */
function capped(words: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  return words.filter((word) => {
    const count = (counts.get(word) ?? 0) + 1;
    counts.set(word, count);
    return count <= MAX_REPETITIONS;
  });
}

/** SHA-256 (hex) of a record, to detect damage on disk. */
export function checksumOf(key: string, terms: readonly string[]): string {
  return createHash('sha256')
    .update([key, ...terms].join('\n'))
    .digest('hex');
}
