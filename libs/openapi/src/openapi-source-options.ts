import type { Loading, SideEffects, SourceLimits, ToolExample } from '@tool-search/core';
import type { EgressOptions } from '@tool-search/core/egress';
import type { CredentialOption, HeadersOption } from './call/credentials.js';
import type { DocumentOption } from './document/document-reader.js';
import type { OperationSelector } from './operation/operation-filter.js';

/** Options of {@link OpenApiSource}. */
export interface OpenApiSourceOptions {
  /** Unique among the application's sources: 1 to 64 letters, digits, `_`, `-` and `.`. */
  readonly name: string;
  /**
   * An OpenAPI 3.0, 3.1 or Swagger 2.0 document in JSON or YAML: the path of a file, the document itself, or its
   * address (`new URL(…)` or `{ url, headers }`). YAML, and JSON above 1 MiB, is parsed in a worker thread, within 60 s
   * and 1 GB. Prefer JSON for large documents: it parses about 100 times faster. YAML from an address is limited to 4
   * MiB.
   */
  readonly document: DocumentOption;
  /**
   * Base URL of all calls, including the path prefix that all operations share. A function is called for each call.
   *
   * @default the document's first server, which must be public or allowed by `egress`
   */
  readonly baseUrl?: string | (() => string);
  /**
   * Credentials by the names of the document's security schemes: a token or key, `{ username, password }` for HTTP
   * basic, or a function that is called for each call and returns the user's credentials. They are sent to the source's
   * own origin only.
   */
  readonly auth?: Readonly<Record<string, CredentialOption>>;
  /**
   * Sent with every call; they override arguments. A function is called for each call. They are sent to the origin of
   * the base URL only. Without `auth`, these headers are expected to carry all credentials, and the document's security
   * requirements are not checked.
   */
  readonly headers?: HeadersOption;
  /** Globs over the tool names, without namespace, and filters. Other operations do not become tools. @default all */
  readonly include?: readonly OperationSelector[];
  /** As `include`: operations that match do not become tools. Overrides `include`. */
  readonly exclude?: readonly OperationSelector[];
  /** Added to every tool of the source, besides the operation's own tags. */
  readonly tags?: readonly string[];
  /**
   * Side effects by globs over the tool names; the first match counts.
   *
   * @default `read` for GET and HEAD, `write` for everything else
   */
  readonly sideEffects?: Readonly<Record<string, SideEffects>>;
  /** Globs over the tool names, without namespace. Tools that match are always loaded; this overrides `loading`. */
  readonly alwaysLoaded?: readonly string[];
  /** Examples of calls by tool name, without namespace. */
  readonly examples?: Readonly<Record<string, readonly Omit<ToolExample, 'tags'>[]>>;
  /** Prefix of every tool name. @default the source's name */
  readonly namespace?: string;
  /**
   * Purpose of the tools as a whole, in the operator's words. Searches match it for each of the tools, but it is never
   * shown; `''` for none.
   *
   * @default the document's title, summary and description
   */
  readonly description?: string;
  /** The tenant that owns the source. @default all tenants share the source */
  readonly owner?: string;
  /** @default 'deferred' */
  readonly loading?: Loading;
  /**
   * How changed tool definitions are handled.
   *
   * @default 'strict' for a document with an address; otherwise definitions are not stored
   */
  readonly changes?: 'strict' | 'additive' | 'trust';
  /** Starts with the stored tools, without loading the document at boot. @default false */
  readonly lazy?: boolean;
  /** Interval in milliseconds at which a document with an address is polled; at least 1,000. @default no polling */
  readonly refreshEveryMs?: number;
  /**
   * Allows addresses that are not public, for the document and for calls. Loopback addresses named by `baseUrl` or
   * `document` are allowed without it, unless the source has an owner.
   */
  readonly egress?: EgressOptions;
  /** Timeout of one call in milliseconds. @default 30000 */
  readonly callTimeoutMs?: number;
  /** Timeout of one load in milliseconds. @default 30000 */
  readonly loadTimeoutMs?: number;
  /** `tools` defaults to 5,000, everything else as in {@link SourceLimits}. */
  readonly limits?: SourceLimits;
  /** Bytes read of a response; the rest is cut off. @default 1048576 */
  readonly maxResponseBytes?: number;
  /**
   * Limit of a response in tokens, estimated from its length; the excess is replaced by a note. 0 for no limit.
   *
   * @default 8000
   */
  readonly maxResponseTokens?: number;
  /** Limit of the document in bytes. @default 33554432 */
  readonly maxDocumentBytes?: number;
}
