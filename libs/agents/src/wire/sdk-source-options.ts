import {
  list,
  loading,
  milliseconds,
  object,
  type OptionsOf,
  part,
  record,
  remoteSourceOptions,
  sideEffects,
  text,
} from '@tool-search/core/internal';
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
  ...remoteSourceOptions.shape,
  /** The tenant that owns this source. @default all tenants share it */
  owner: z.string().default(''),
  /** Purpose of the source's tools as a whole: indexed with each of them, never shown. @default none */
  description: z.string().optional(),
  /** Added to every tool of the source, before the tags in its details. */
  tags: list(text()).optional(),
  /** By the tool's name; in Mastra, its id. A tool without `sideEffects` is `external`. */
  details: record(part<SdkToolDetails>(sdkToolDetails).unwrap()).optional(),
  /** Maximum milliseconds of a load, where `tools` is a function. @default 30000; 10000 for request tools */
  loadTimeoutMs: milliseconds().optional(),
});

/** Options that the sources of all SDKs have. */
export interface SdkSourceOptions extends OptionsOf<typeof sdkSourceOptions> {}
