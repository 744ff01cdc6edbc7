import { type DocumentAddress, DocumentFetcher, type FetchedDocument } from './document-address.js';
import { documentFile } from './document-file.js';
import type { OpenApiDocument } from './document-references.js';
import { checkedDocument, parsedDocument } from './parse-document.js';

/** The path of a file, the document itself, or its address. */
export type DocumentOption = string | URL | DocumentAddress | object;

const MAX_FETCHED_YAML = 4_194_304;
/** Characters of JSON per allowed byte: YAML is denser than JSON, and its aliases expand. */
const MAX_GROWTH = 4;
const POLL_TIMEOUT_MS = 30_000;

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

  /** @param allow allowed addresses of the document that are not public */
  constructor(
    private readonly option: DocumentOption,
    private readonly maxBytes: number,
    allow: readonly string[],
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
    const document = await this.#parsed(fetched.chunks, MAX_FETCHED_YAML, signal);
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
