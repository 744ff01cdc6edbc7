import type { EgressOptions } from '@tool-search/core/source';
import {
  areExamples,
  areHeaders,
  changes,
  egressOptions,
  flag,
  isObject,
  list,
  milliseconds,
  object,
  type OptionsOf,
  part,
  record,
  remoteSourceOptions,
  rule,
  sideEffects,
  type SourceLimits,
  sourceLimits,
  text,
  type ToolExample,
  value,
  whole,
  withoutTuning,
} from '@tool-search/core/internal';
import { z } from 'zod';
import type { CredentialOption, HeadersOption } from './call/credentials.js';
import { addressOf, type DocumentOption } from './document/document-reader.js';
import { checkedBaseUrl } from './operation/base-url.js';
import { nameGlob, operationSelector } from './operation/operation-filter.js';

/** The limits of a document's source: more tools than other sources. */
export const openApiLimits = withoutTuning(
  object({ ...sourceLimits.shape, tools: sourceLimits.shape.tools.unwrap().default(5000) }),
);

/** The schema of {@link OpenApiSourceOptions}. */
export const openApiSourceOptions = object({
  ...remoteSourceOptions.shape,
  /**
   * An OpenAPI 3.0 to 3.2 or Swagger 2.0 document in JSON or YAML: the path of a file, the document itself, or its
   * address (`new URL(…)` or `{ url, headers }`). YAML, and JSON above 1 MiB, is parsed in a worker thread, within 60 s
   * and 1 GB. Prefer JSON for large documents: it parses about 100 times faster. YAML from an address is limited to 4
   * MiB.
   */
  document: value<DocumentOption>(
    isDocument,
    'the path of a file, an object, or an address as new URL(…) or { url, headers }: http or https, without credentials',
  ),
  /**
   * Base URL of all calls, including the path prefix that all operations share. A function is called for each call.
   *
   * @default the document's first server, which must be public or allowed by `egress`
   */
  baseUrl: value<string | (() => string)>(
    isBaseUrl,
    'an absolute http or https URL without credentials, query or fragment, or a function that returns one',
  ).optional(),
  /**
   * Credentials by the names of the document's security schemes: a token or key, `{ username, password }` for HTTP
   * basic, or a function that is called for each call and returns the user's credentials. They are sent to the source's
   * own origin only.
   */
  auth: record(
    value<CredentialOption>(isCredential, 'a token or key, { username, password }, or a function that returns one'),
  ).optional(),
  /**
   * Sent with every call; they override arguments. A function is called for each call. They are sent to the origin of
   * the base URL only. Without `auth`, these headers are expected to carry all credentials, and the document's security
   * requirements are not checked.
   */
  headers: value<HeadersOption>(
    (given) => typeof given === 'function' || areHeaders(given),
    'an object of names and values that HTTP allows, or a function that returns one',
  ).optional(),
  /** Globs over the tool names, without namespace, and filters. Other operations do not become tools. @default all */
  include: list(operationSelector()).optional(),
  /** As `include`: operations that match do not become tools. Overrides `include`. */
  exclude: list(operationSelector()).default([]),
  /** Added to every tool of the source, besides the operation's own tags. */
  tags: list(text()).default([]),
  /**
   * Side effects by globs over the tool names; the first match counts.
   *
   * @default `read` for GET, HEAD and QUERY, `write` for everything else
   */
  sideEffects: record(sideEffects(), nameGlob()).default({}),
  /** Globs over the tool names, without namespace. Tools that match are always loaded; this overrides `loading`. */
  alwaysLoaded: list(nameGlob()).default([]),
  /** Examples of calls by tool name, without namespace. */
  examples: record(value<Examples>(areExamples, 'a list of { args, description? }'), nameGlob()).default({}),
  /**
   * Purpose of the tools as a whole, in the operator's words. Searches match it for each of the tools, but it is never
   * shown; `''` for none.
   *
   * @default the document's title, summary and description
   */
  description: z.string().optional(),
  /**
   * How changed tool definitions are handled.
   *
   * @default 'strict' for a document with an address; otherwise definitions are not stored
   */
  changes: changes().optional(),
  /** Starts with the stored tools, without loading the document at boot. @default false */
  lazy: flag().default(false),
  /** Interval in milliseconds at which a document with an address is polled; at least 1,000. @default no polling */
  refreshEveryMs: milliseconds(1000).optional(),
  /**
   * Allows addresses that are not public, for the document and for calls. Loopback addresses named by `baseUrl` or
   * `document` are allowed without it, unless the source has an owner.
   */
  egress: part<EgressOptions>(egressOptions),
  /**
   * Hands the trace of each call on to the server, in headers: `traceparent`, `tracestate` and the baggage that the telemetry module
   * names. Without that module nothing is handed on. `true` means the origins that get `headers` too.
   *
   * @default for this machine and the places that `egress.allow` names, not for public addresses
   */
  propagate: flag().optional(),
  /** Timeout of one load in milliseconds. @default 30000; 10000 for request tools */
  loadTimeoutMs: milliseconds().optional(),
  /** `tools` defaults to 5,000, everything else as in {@link SourceLimits}. */
  limits: part<SourceLimits>(openApiLimits),
  /** Bytes read of a response; the rest is cut off. @default 1048576 */
  maxResponseBytes: whole(1, Number.MAX_SAFE_INTEGER).default(1_048_576),
  /**
   * Limit of a response in tokens, estimated from its length; the excess is replaced by a note. 0 for no limit.
   *
   * @default 8000
   */
  maxResponseTokens: whole(0, Number.MAX_SAFE_INTEGER).default(8000),
  /** Limit of the document in bytes. @default 33554432 */
  maxDocumentBytes: whole(1, Number.MAX_SAFE_INTEGER).default(33_554_432),
}).check(
  rule(
    'refreshEveryMs',
    'left out unless the document has an address',
    (set) => set.refreshEveryMs === undefined || addressOf(set.document) !== undefined,
  ),
);

/** Options of {@link OpenApiSource}. */
export interface OpenApiSourceOptions extends OptionsOf<typeof openApiSourceOptions> {}

type Examples = readonly Omit<ToolExample, 'tags'>[];

function isDocument(given: unknown): boolean {
  // A text that looks like an address must be `new URL(…)`, because it would be read as the path of a file.
  if (typeof given === 'string') return given !== '' && !/^https?:/i.test(given);
  if (!isObject(given)) return false;
  const address = addressOf(given);
  if (!address) return true;
  const url = URL.canParse(String(address.url)) ? new URL(address.url) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol)) return false;
  return url.username === '' && url.password === '' && areHeaders(address.headers ?? {});
}

function isBaseUrl(given: unknown): boolean {
  if (typeof given !== 'string') return typeof given === 'function';
  try {
    return checkedBaseUrl(given) !== '';
  } catch {
    return false;
  }
}

function isCredential(given: unknown): boolean {
  if (typeof given === 'string' || typeof given === 'function') return true;
  return isObject(given) && typeof given['username'] === 'string' && typeof given['password'] === 'string';
}
