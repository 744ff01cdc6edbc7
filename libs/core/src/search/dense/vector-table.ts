import { type Numbers, quantize, type QueryVector } from './query-vector.js';

const CHUNK_BYTES = 1024 * 1024;
const RANGE = 127;

/**
 * Vectors by key, rounded to one byte per dimension, in chunks of 1 MiB. A key gets its row before its vector exists,
 * rows never move and are filled at most once, so row numbers stay valid.
 */
export class VectorTable {
  readonly #rows = new Map<string, number>();
  readonly #chunks: Int8Array[] = [];
  /** By row: 1 / length, 0 for the zero vector, NaN for an empty row. */
  #scales = new Float64Array(0);
  readonly #rowsOfChunk: number;
  #filled = 0;

  constructor(readonly dimensions: number) {
    this.#rowsOfChunk = Math.max(1, Math.floor(CHUNK_BYTES / dimensions));
  }

  /** Number of keys with a row. */
  get size(): number {
    return this.#rows.size;
  }

  /** Number of rows with a vector. */
  get filled(): number {
    return this.#filled;
  }

  /** All keys with a row, in row order. */
  keys(): IterableIterator<string> {
    return this.#rows.keys();
  }

  /** The row of a key; undefined if it has none. */
  find(key: string): number | undefined {
    return this.#rows.get(key);
  }

  /** The row of a key; assigns a new one if it has none. */
  rowOf(key: string): number {
    const known = this.#rows.get(key);
    if (known !== undefined) return known;
    const row = this.#rows.size;
    this.#rows.set(key, row);
    if (row % this.#rowsOfChunk === 0) this.#grow();
    return row;
  }

  has(row: number): boolean {
    return !Number.isNaN(this.#scales[row]);
  }

  /** Fills a row, unless it is filled. */
  put(row: number, vector: Numbers): void {
    if (this.has(row)) return;
    const bytes = this.bytesOf(row);
    this.#fill(
      row,
      quantize(vector, RANGE, (dimension, value) => {
        bytes[dimension] = value;
      }),
    );
  }

  /** Fills a row with the bytes of another table's row, unless it is filled. */
  putBytes(row: number, bytes: Int8Array): void {
    if (this.has(row)) return;
    this.bytesOf(row).set(bytes);
    let squares = 0;
    for (const value of bytes) squares += value * value;
    this.#fill(row, squares === 0 ? 0 : 1 / Math.sqrt(squares));
  }

  /** The bytes of a row; zeros while it is empty. */
  bytesOf(row: number): Int8Array {
    const chunk = this.#chunks[Math.floor(row / this.#rowsOfChunk)];
    if (!chunk) throw new RangeError(`no vector has the row ${row}`);
    const start = (row % this.#rowsOfChunk) * this.dimensions;
    return chunk.subarray(start, start + this.dimensions);
  }

  /** The cosine of a row and a query, from -1 to 1; NaN while the row is empty. */
  cosine(row: number, { values, scale }: QueryVector): number {
    const chunk = this.#chunks[Math.floor(row / this.#rowsOfChunk)] as Int8Array;
    const start = (row % this.#rowsOfChunk) * this.dimensions;
    return dot(chunk, start, values) * (this.#scales[row] as number) * scale;
  }

  #grow(): void {
    this.#chunks.push(new Int8Array(this.#rowsOfChunk * this.dimensions));
    const scales = new Float64Array(this.#chunks.length * this.#rowsOfChunk).fill(Number.NaN);
    scales.set(this.#scales);
    this.#scales = scales;
  }

  #fill(row: number, scale: number): void {
    this.#scales[row] = scale;
    this.#filled += 1;
  }
}

// Four sums at a time, in 32 bits. The casts avoid a check in the innermost loop, which stays within both arrays.
function dot(chunk: Int8Array, start: number, values: Int16Array): number {
  const end = values.length & ~3;
  let [a, b, c, d] = [0, 0, 0, 0];
  let i = 0;
  for (; i < end; i += 4) {
    a = (a + Math.imul(chunk[start + i] as number, values[i] as number)) | 0;
    b = (b + Math.imul(chunk[start + i + 1] as number, values[i + 1] as number)) | 0;
    c = (c + Math.imul(chunk[start + i + 2] as number, values[i + 2] as number)) | 0;
    d = (d + Math.imul(chunk[start + i + 3] as number, values[i + 3] as number)) | 0;
  }
  for (; i < values.length; i++) a = (a + Math.imul(chunk[start + i] as number, values[i] as number)) | 0;
  return a + b + c + d;
}
