import type { TimeSlicer } from '../../async/time-slicer.js';
import type { VectorTable } from './vector-table.js';

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

/**
 * Adds all vectors of an archive to a table. An archive of another format has none.
 *
 * @returns how many vectors the archive has
 */
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
