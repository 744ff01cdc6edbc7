import type { SourceLimits } from '@tool-search/core';
import {
  inspection,
  list,
  loading,
  milliseconds,
  namespace,
  object,
  type OptionsOf,
  part,
  record,
  sideEffects,
  sourceLimits,
  sourceName,
  text,
} from '@tool-search/core/source';
import { z } from 'zod';

const sdkToolDetails = object({
  /** @default the tool's own, if it is a string */
  description: text().optional(),
  tags: list(text(64)).optional(),
  /** @default 'external' */
  sideEffects: sideEffects().optional(),
  loading: loading().optional(),
  /** Sentences of users who need the tool; searched, never shown. */
  exampleQueries: list(text(200)).optional(),
  /** Further canonical names. */
  aliases: list(text(128)).optional(),
  safetyNotes: text(4096).optional(),
  timeoutMs: milliseconds().optional(),
});

/** Properties that an SDK's tool does not have. */
export interface SdkToolDetails extends OptionsOf<typeof sdkToolDetails> {}

export const sdkSourceOptions = object({
  /** Unique among the application's sources of one owner, 1 to 64 of letters, digits, `_`, `-` and `.`. */
  name: sourceName(),
  /** The tenant that owns this source. @default all tenants share it */
  owner: z.string().default(''),
  /** Prefix of every tool's name; `''` for none. @default the source's name */
  namespace: namespace().optional(),
  /** Purpose of the source's tools as a whole: indexed with each of them, never shown. @default none */
  description: z.string().optional(),
  /** @default 'deferred' */
  loading: loading().default('deferred'),
  /** Added to every tool of the source, before the tags in its details. */
  tags: list(text()).optional(),
  /** By the tool's name; in Mastra, its id. A tool without `sideEffects` is `external`. */
  details: record(part<SdkToolDetails>(sdkToolDetails).unwrap()).optional(),
  /** Maximum milliseconds of one call. @default 30000 */
  callTimeoutMs: milliseconds().default(30_000),
  /** Maximum milliseconds of a load, where `tools` is a function. @default 30000; 10000 for request tools */
  loadTimeoutMs: milliseconds().optional(),
  /** The treatment of tools whose texts an inspector suspects. @default the module's `inspection` */
  inspection: inspection().optional(),
  limits: part<SourceLimits>(sourceLimits),
});

/** Options that the sources of all SDKs have. */
export interface SdkSourceOptions extends OptionsOf<typeof sdkSourceOptions> {}
