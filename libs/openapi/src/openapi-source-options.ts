import type { Loading, SideEffects, SourceLimits, ToolExample } from '@tool-search/core';
import type { EgressOptions } from '@tool-search/core/egress';
import type { CredentialOption, HeadersOption } from './call/credentials.js';
import type { DocumentOption } from './document/document-reader.js';
import type { OperationSelector } from './operation/operation-filter.js';

/** Options of {@link OpenApiSource}. */
export interface OpenApiSourceOptions {
  /** Unique among the application's sources, 1 to 64 of letters, digits, `_`, `-` and `.`. */
  readonly name: string;
  /**
   * OpenAPI 3.0, 3.1 or Swagger 2.0 as JSON or YAML: path of a file, the document itself, or its address (`new URL(…)` or
   * `{ url, headers }`). YAML, and JSON over 1 MiB, is parsed in a worker thread within 60 s and 1 GB. Prefer JSON for a large one, which
   * is a hundred times faster. YAML from an address may have 4 MiB.
   */
  readonly document: DocumentOption;
  /**
   * Where all calls go, with the part of the path that all operations share; a function is asked at each call.
   *
   * @default the document's first server, which has to be public or allowed by `egress`
   */
  readonly baseUrl?: string | (() => string);
  /**
   * Credentials by the names of the document's security schemes: a token or key, `{ username, password }` for `http basic`, or a
   * function that is asked at each call, for credentials of the user. They travel to the source's own origin only.
   */
  readonly auth?: Readonly<Record<string, CredentialOption>>;
  /**
   * Sent with every call and stronger than any argument; a function is asked at each call. They travel to the origin of the base URL
   * only. Without `auth`, what the document says of security is taken to be your affair.
   */
  readonly headers?: HeadersOption;
  /** Globs over the tools' names, without namespace, and filters: only operations that match one become tools. @default all */
  readonly include?: readonly OperationSelector[];
  /** As `include`: these do not become tools, included or not. */
  readonly exclude?: readonly OperationSelector[];
  /** Given to every tool of the source, besides its operation's own. */
  readonly tags?: readonly string[];
  /**
   * Side effects by globs over the tools' names; the first glob that matches decides.
   *
   * @default `read` for GET and HEAD, `write` for everything else
   */
  readonly sideEffects?: Readonly<Record<string, SideEffects>>;
  /** Globs over the tools' names, without namespace: these are loaded always, whatever `loading` says. */
  readonly alwaysLoaded?: readonly string[];
  /** Examples of calls by the tools' names, without namespace. */
  readonly examples?: Readonly<Record<string, readonly Omit<ToolExample, 'tags'>[]>>;
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
  /** What happens to tools that change. @default 'strict' for a document with an address, else nothing is remembered */
  readonly changes?: 'strict' | 'additive' | 'trust';
  /** The tools remembered from last time are enough at boot. @default false */
  readonly lazy?: boolean;
  /** Milliseconds between two looks at a document with an address, from 1,000. @default it is looked at only when loaded */
  readonly refreshEveryMs?: number;
  /** Where document and calls may go beyond the public internet. */
  readonly egress?: EgressOptions;
  /** Milliseconds one call may take. @default 30000 */
  readonly callTimeoutMs?: number;
  /** Milliseconds one load may take. @default 30000 */
  readonly loadTimeoutMs?: number;
  /** `tools` is 5,000 by default, everything else as in {@link SourceLimits}. */
  readonly limits?: SourceLimits;
  /** Bytes of a response that are read; the rest is cut off. @default 1048576 */
  readonly maxResponseBytes?: number;
  /** As how many tokens a response may count, by its length; what is over is left out, with a note. 0: any. @default 8000 */
  readonly maxResponseTokens?: number;
  /** Bytes a document may have. @default 33554432 */
  readonly maxDocumentBytes?: number;
}
