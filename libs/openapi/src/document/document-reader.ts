import { type DocumentAddress, DocumentFetcher, type FetchedDocument } from './document-address.js';
import { documentFile } from './document-file.js';
import type { OpenApiDocument } from './document-references.js';
import { checkedDocument, parsedDocument } from './parse-document.js';

/** Where a document comes from: the path of a file, the document itself, or its address. */
export type DocumentOption = string | URL | DocumentAddress | object;

const MAX_FETCHED_YAML = 4_194_304;
/** Characters of JSON for each byte that a document may have: YAML is denser, and its aliases stand for more. */
const MAX_GROWTH = 4;
const POLL_TIMEOUT_MS = 30_000;

/** The address in a `document` option; undefined for a file or an object. */
export function addressOf(document: DocumentOption): DocumentAddress | undefined {
  if (document instanceof URL) return { url: document };
  if (typeof document === 'string' || !('url' in document) || 'paths' in document) return undefined;
  return document as DocumentAddress;
}

/** Reads a source's document, again and again where it has an address. */
export class DocumentReader {
  readonly #fetcher: DocumentFetcher | undefined;
  #last: FetchedDocument | undefined;
  #read: FetchedDocument | undefined;

  /** @param allow places beyond the public internet that the document may be fetched from */
  constructor(
    private readonly option: DocumentOption,
    private readonly maxBytes: number,
    allow: readonly string[],
  ) {
    const address = addressOf(option);
    this.#fetcher = address && new DocumentFetcher(address, allow, maxBytes);
  }

  /**
   * The document; undefined when it has an address and is the same as the one that was kept.
   *
   * @param anew read it even if it is the same
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

  /** What was read last was of use; from now on it need not be read again. */
  keep(): void {
    this.#last = this.#read;
  }

  /** Whether the document is no longer the one that was kept, or cannot be fetched. */
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
