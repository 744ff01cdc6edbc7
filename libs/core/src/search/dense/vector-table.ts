import { type Numbers, quantize, type QueryVector } from './query-vectors.js';
import type { TimeSlicer } from '../../async/time-slicer.js';

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

  get size(): number {
    return this.#rows.size;
  }

  /** Number of rows with a vector. */
  get filled(): number {
    return this.#filled;
  }

  keys(): IterableIterator<string> {
    return this.#rows.keys();
  }

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

// "TSV1". Raise it with every change of the embedded text or of the storage format.
const FORMAT = 0x54535631;
const HEADER_BYTES = 12;
const KEY_BYTES = 32;

/** Serializes the filled rows of these keys (SHA-256 in hex): a header, then the key and vector of each row. */
export async function archiveVectors(
  table: VectorTable,
  keys: ReadonlySet<string>,
  slices: TimeSlicer,
): Promise<Uint8Array> {
  const width = KEY_BYTES + table.dimensions;
  const archive = Buffer.alloc(HEADER_BYTES + keys.size * width);
  let count = 0;
  for (const key of keys) {
    if (slices.due) await slices.pause();
    const row = table.find(key);
    const start = HEADER_BYTES + count * width;
    if (row === undefined || !table.has(row) || archive.write(key, start, 'hex') !== KEY_BYTES) continue;
    const { buffer, byteOffset, byteLength } = table.bytesOf(row);
    archive.set(new Uint8Array(buffer, byteOffset, byteLength), start + KEY_BYTES);
    count += 1;
  }
  archive.writeUInt32LE(FORMAT, 0);
  archive.writeUInt32LE(table.dimensions, 4);
  archive.writeUInt32LE(count, 8);
  return archive.subarray(0, HEADER_BYTES + count * width);
}

/** Adds all vectors of an archive to a table and returns their number: 0 for an archive of another format. */
export async function unarchiveVectors(archive: Uint8Array, table: VectorTable, slices: TimeSlicer): Promise<number> {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength);
  const width = KEY_BYTES + table.dimensions;
  if (bytes.length < HEADER_BYTES || bytes.readUInt32LE(0) !== FORMAT) return 0;
  const count = bytes.readUInt32LE(8);
  if (bytes.readUInt32LE(4) !== table.dimensions || bytes.length !== HEADER_BYTES + count * width) return 0;
  for (let start = HEADER_BYTES; start < bytes.length; start += width) {
    if (slices.due) await slices.pause();
    const row = table.rowOf(bytes.toString('hex', start, start + KEY_BYTES));
    table.putBytes(row, new Int8Array(bytes.buffer, bytes.byteOffset + start + KEY_BYTES, table.dimensions));
  }
  return count;
}
