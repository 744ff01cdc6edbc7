import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ToolSearchError } from '@tool-search/core';
import type { Secrets } from '@tool-search/core/source';
import { isObject, parsedJson, TimeSlicer } from '@tool-search/core/internal';
import { cleanDocument } from './clean-document.js';
import { type DocumentAddress, DocumentFetcher, type FetchedDocument, tooLarge } from './document-address.js';
import type { OpenApiDocument } from './document-references.js';
import { readInWorker, type WorkerBounds } from './document-worker.js';
import { modernDocument } from './swagger2.js';

/** The path of a file (JSON or YAML; compressed with gzip if it ends with `.gz`), the document itself, or its address. */
export type DocumentOption = string | URL | DocumentAddress | object;

const MAX_FETCHED_YAML = 4_194_304;
/** Characters of JSON per allowed byte: YAML is denser than JSON, and its aliases expand. */
const MAX_GROWTH = 4;
const POLL_TIMEOUT_MS = 30_000;
/** Milliseconds of cleaning between two turns of the event loop. */
const SLICE_MS = 10;
/** Bytes that gzip may add to a text that it cannot compress. */
const GZIP_OVERHEAD = 65_536;
/** Up to this length JSON is parsed in a few milliseconds, faster than a worker starts. */
const MAX_INLINE_BYTES = 1_048_576;

/** The address in a `document` option; undefined for a file or an object. */
export function addressOf(document: DocumentOption): DocumentAddress | undefined {
  if (document instanceof URL) return { url: document };
  if (typeof document === 'string' || !('url' in document) || 'paths' in document) return undefined;
  return document as DocumentAddress;
}

/** Reads a source's document; one with an address can be read repeatedly. */
export class DocumentReader {
  readonly #fetcher: DocumentFetcher | undefined;
  #last: FetchedDocument | undefined;
  #read: FetchedDocument | undefined;

  /**
   * @param allow allowed addresses of the document that are not public
   * @param secrets removed from a document with an address
   */
  constructor(
    private readonly option: DocumentOption,
    private readonly maxBytes: number,
    allow: readonly string[],
    private readonly secrets: Secrets,
  ) {
    const address = addressOf(option);
    this.#fetcher = address && new DocumentFetcher(address, allow, maxBytes);
  }

  /**
   * Reads the document. Returns undefined if it has an address and equals the one marked by {@link keep}.
   *
   * @param anew read it even if it is unchanged
   * @throws ToolSearchError `SOURCE_UNAVAILABLE`, `SOURCE_LIMIT`, `UPSTREAM_INVALID`; the signal's reason when aborted
   */
  async read(signal: AbortSignal, anew: boolean): Promise<OpenApiDocument | undefined> {
    if (!this.#fetcher) {
      if (typeof this.option !== 'string') return checkedDocument(this.option);
      return this.#parsed(await documentFile(this.option, this.maxBytes, signal), Number.POSITIVE_INFINITY, signal);
    }
    const fetched = await this.#fetcher.fetch(signal, anew ? undefined : this.#last);
    if (!fetched) return undefined;
    const parsed = await this.#parsed(fetched.chunks, MAX_FETCHED_YAML, signal);
    const document = await new TimeSlicer(SLICE_MS, signal).run(cleanDocument(parsed, this.secrets));
    this.#read = { ...fetched, chunks: [] };
    return document;
  }

  #parsed(chunks: readonly Uint8Array[], maxYamlBytes: number, signal: AbortSignal): Promise<OpenApiDocument> {
    return parsedDocument(chunks, { maxYamlBytes, maxChars: MAX_GROWTH * this.maxBytes }, signal);
  }

  /** Marks the last document as used; it is not read again while it stays unchanged. */
  keep(): void {
    this.#last = this.#read;
  }

  /** Whether the document differs from the one marked by {@link keep}, or cannot be fetched. */
  async hasChanged(): Promise<boolean> {
    try {
      return (await this.#fetcher?.fetch(AbortSignal.timeout(POLL_TIMEOUT_MS), this.#last)) !== undefined;
    } catch {
      return true;
    }
  }

  async close(): Promise<void> {
    await this.#fetcher?.close();
  }
}

/**
 * Reads the bytes of a document's file, decompressed. Stops at the first part that exceeds the limit, so that the limit also
 * holds for pipes, devices, growing files and files that decompress to more than they say.
 *
 * @throws ToolSearchError `SOURCE_UNAVAILABLE` (unreadable), `SOURCE_LIMIT` (too large); the signal's reason when
 * aborted
 */
async function documentFile(path: string, maxBytes: number, signal: AbortSignal): Promise<readonly Uint8Array[]> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    const file = createReadStream(path, { end: maxBytes + GZIP_OVERHEAD, signal });
    // The callback is there because a pipeline without one does not report errors; they reach the loop as well.
    const text = path.endsWith('.gz') ? pipeline(file, createGunzip(), () => undefined) : file;
    for await (const chunk of text) {
      chunks.push(chunk as Buffer);
      bytes += (chunk as Buffer).length;
      if (bytes > maxBytes) break;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw new ToolSearchError('SOURCE_UNAVAILABLE', `The document ${path} cannot be read.`, {
      hint: 'Check that the file exists, that the application may read it, and that a file named .gz is compressed with gzip.',
      cause: error,
    });
  }
  if (bytes > maxBytes) throw tooLarge(`The document ${path}`, maxBytes);
  return chunks;
}

/**
 * Parses the UTF-8 text of a document: as JSON if possible, otherwise as YAML with at most 100 aliases. Short JSON is
 * parsed directly, everything else in a worker.
 *
 * @throws ToolSearchError `SOURCE_LIMIT` (too much YAML, memory or time), `UPSTREAM_INVALID`; the signal's reason when
 * aborted
 */
export async function parsedDocument(
  chunks: readonly Uint8Array[],
  bounds: WorkerBounds,
  signal: AbortSignal,
): Promise<OpenApiDocument> {
  return checkedDocument(shortJson(chunks) ?? (await readInWorker(chunks, bounds, signal)));
}

/**
 * Checks that a value is an OpenAPI 3 or Swagger 2.0 document. Converts the servers and security schemes of Swagger 2.0
 * to OpenAPI 3.
 *
 * @throws ToolSearchError `UPSTREAM_INVALID` if it is neither
 */
export function checkedDocument(document: unknown): OpenApiDocument {
  if (!isObject(document)) throw invalid('The document is not an object.');
  if (!isObject(document['paths'])) throw invalid('The document has no paths.');
  // YAML reads an unquoted 2.0 or 3.0 as a number.
  if (/^2(\.0)?$/.test(String(document['swagger']))) return modernDocument(document);
  if (document['swagger'] !== undefined || !/^3(\.\d+)*$/.test(String(document['openapi'])))
    throw invalid('The document does not say that it is OpenAPI 3 or Swagger 2.0.');
  return document;
}

function shortJson(chunks: readonly Uint8Array[]): unknown {
  if (chunks.reduce((bytes, { length }) => bytes + length, 0) > MAX_INLINE_BYTES) return undefined;
  return parsedJson(new TextDecoder().decode(Buffer.concat(chunks)));
}

function invalid(message: string): ToolSearchError {
  const hint = 'Name a document of OpenAPI 3.0 to 3.2 or Swagger 2.0.';
  return new ToolSearchError('UPSTREAM_INVALID', message, { hint });
}
