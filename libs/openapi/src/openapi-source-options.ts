import { type Loading, type SourceLimits, type ToolContext, ToolSearchError } from '@tool-search/core';
import { checkedBaseUrl } from './base-url.js';

/** Headers that the operator sets, credentials above all. */
export type OperatorHeaders = Readonly<Record<string, string>>;

/** Options of {@link OpenApiSource}. */
export interface OpenApiSourceOptions {
  /** Unique among the application's sources, 1 to 64 of letters, digits, `_`, `-` and `.`. */
  readonly name: string;
  /**
   * Path of a JSON or YAML file, or the document itself: OpenAPI 3.0 or 3.1. Prefer JSON for a large one: YAML of 10 MB
   * takes about 14 s to parse, during which the process does nothing else; the same as JSON takes 0.1 s.
   */
  readonly document: string | object;
  /** Where all calls go, with the part of the path that all operations share. @default the document's first server */
  readonly baseUrl?: string;
  /**
   * Sent with every call and stronger than any argument; a function is asked at each call. They travel to the origin of
   * the base URL only.
   */
  readonly headers?: OperatorHeaders | ((context: ToolContext) => OperatorHeaders | Promise<OperatorHeaders>);
  /** Globs over the tools' names, without namespace: only these become tools. @default all */
  readonly include?: readonly string[];
  /** Globs over the tools' names, without namespace: these do not become tools, included or not. */
  readonly exclude?: readonly string[];
  /** Only operations with one of these tags become tools; compared in the tools' own spelling. @default all */
  readonly tags?: readonly string[];
  /** @default the source's name */
  readonly namespace?: string;
  /**
   * What its tools are for as a whole, in your words: searched with each of them, never shown; `''` for none.
   *
   * @default the document's own title, summary and description
   */
  readonly description?: string;
  /** The tenant that owns the source. @default all tenants share it */
  readonly owner?: string;
  /** @default 'deferred' */
  readonly loading?: Loading;
  /** Milliseconds one call may take. @default 30000 */
  readonly callTimeoutMs?: number;
  /** `tools` is 5,000 by default, everything else as in {@link SourceLimits}. */
  readonly limits?: SourceLimits;
  /** Bytes of a response that are read; the rest is cut off. @default 1048576 */
  readonly maxResponseBytes?: number;
  /** Bytes a document's file may have. @default 33554432 */
  readonly maxDocumentBytes?: number;
}

/**
 * Refuses options that could only fail later.
 *
 * @throws ToolSearchError `INVALID_CONFIGURATION`
 */
export function checkOptions(options: OpenApiSourceOptions): void {
  const refuse = (message: string, hint?: string): never => {
    throw new ToolSearchError('INVALID_CONFIGURATION', `OpenApiSource ${JSON.stringify(options.name)}: ${message}`, {
      hint,
    });
  };
  if (typeof options.name !== 'string' || !/^[A-Za-z0-9_.-]{1,64}$/.test(options.name)) {
    refuse('the name is not usable.', 'Use 1 to 64 of letters, digits, "_", "-" and ".".');
  }
  if (options.namespace !== undefined && !/^[A-Za-z0-9_.-]{0,64}$/.test(options.namespace)) {
    refuse('the namespace is not usable.', 'Use up to 64 of letters, digits, "_", "-" and ".".');
  }
  if (typeof options.document !== 'string' && (typeof options.document !== 'object' || options.document === null)) {
    refuse('document must be the path of a file or an object.');
  }
  if (options.baseUrl !== undefined) checkedBaseUrl(options.baseUrl);
  for (const glob of [...(options.include ?? []), ...(options.exclude ?? [])]) {
    // Names are lower case; a glob that can never match would silently include or exclude nothing.
    if (!/^[a-z0-9_*?]{1,128}$/.test(glob))
      refuse(`${JSON.stringify(glob)} matches no tool.`, 'Names are of a-z, 0-9 and "_"; use "*" and "?".');
  }
  for (const field of ['maxResponseBytes', 'maxDocumentBytes', 'callTimeoutMs'] as const) {
    const value = options[field];
    if (value !== undefined && !(Number.isSafeInteger(value) && value > 0))
      refuse(`${field} must be a positive whole number.`);
  }
  if (typeof options.headers === 'object') {
    try {
      void new Headers(options.headers);
    } catch {
      refuse('headers holds a name or value that HTTP does not allow.');
    }
  }
}
