import { createHash } from 'node:crypto';
import { ToolSearchError } from '@tool-search/core';
import { Egress, isEgressRefused } from '@tool-search/core/source';

/** The address that a document is fetched from. */
export interface DocumentAddress {
  /** `http:` or `https:`, without credentials. */
  readonly url: string | URL;
  /** Sent only with the request for the document. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface FetchedDocument {
  readonly chunks: readonly Uint8Array[];
  /** SHA-256 of the bytes, in hexadecimal. */
  readonly hash: string;
  readonly etag?: string;
}

/** Fetches a document, up to a size limit and without following redirects. */
export class DocumentFetcher {
  readonly #egress: Egress;
  readonly #url: URL;
  readonly #headers: Readonly<Record<string, string>>;

  /** @param allow allowed addresses that are not public, as in `EgressOptions` */
  constructor(
    { url, headers = {} }: DocumentAddress,
    allow: readonly string[],
    private readonly maxBytes: number,
  ) {
    this.#url = new URL(url);
    this.#headers = headers;
    this.#egress = new Egress({ allow });
  }

  /**
   * Fetches the document; returns undefined if it equals `known`.
   *
   * @param known the document fetched last; omit it to fetch again in any case
   * @throws ToolSearchError `SOURCE_UNAVAILABLE`, `SOURCE_LIMIT`, `UPSTREAM_INVALID` (redirect); the signal's reason
   * when aborted
   */
  async fetch(signal: AbortSignal, known?: FetchedDocument): Promise<FetchedDocument | undefined> {
    try {
      const response = await this.#egress.fetch(this.#url, {
        signal,
        headers: {
          accept: 'application/json, application/yaml;q=0.9, */*;q=0.1',
          ...this.#headers,
          // The first request must not be answered from a cache on the way.
          ...(known ? {} : { 'cache-control': 'no-cache' }),
          ...(known?.etag === undefined ? {} : { 'if-none-match': known.etag }),
        },
      });
      if (response.status === 304 && known) {
        await response.body?.cancel();
        return undefined;
      }
      if (response.status !== 200) {
        await response.body?.cancel();
        throw unavailable(response.status);
      }
      const { chunks, hash } = await this.#bodyOf(response);
      if (hash === known?.hash) return undefined;
      const etag = response.headers.get('etag');
      return { chunks, hash, ...(etag === null ? {} : { etag }) };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ToolSearchError) throw error;
      const hint = isEgressRefused(error)
        ? 'Its address is not public: allow it by egress.allow of this source, if it is meant.'
        : 'Check that the address of the document can be reached.';
      throw new ToolSearchError('SOURCE_UNAVAILABLE', 'The document cannot be fetched.', { hint, cause: error });
    }
  }

  close(): Promise<void> {
    return this.#egress.close();
  }

  async #bodyOf(response: Response): Promise<Pick<FetchedDocument, 'chunks' | 'hash'>> {
    const hash = createHash('sha256');
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    // Leaving the loop cancels the transfer. The limit applies to the decompressed size.
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > this.maxBytes) throw tooLarge('The document', this.maxBytes);
      chunks.push(chunk);
      // Chunk by chunk: a large document in one piece would block the event loop.
      hash.update(chunk);
    }
    return { chunks, hash: hash.digest('hex') };
  }
}

function unavailable(status: number): ToolSearchError {
  if (status >= 300 && status < 400) {
    return new ToolSearchError('UPSTREAM_INVALID', 'The document is answered with a redirect, which is not followed.', {
      hint: 'Name the address at which the document is.',
    });
  }
  return new ToolSearchError('SOURCE_UNAVAILABLE', `The document is answered with HTTP ${status}.`, {
    hint: 'Check the address of the document, and the headers it needs.',
  });
}

export function tooLarge(what: string, maxBytes: number): ToolSearchError {
  return new ToolSearchError('SOURCE_LIMIT', `${what} is larger than ${maxBytes} bytes.`, {
    hint: 'Raise maxDocumentBytes for this source, or cut the document down.',
  });
}
