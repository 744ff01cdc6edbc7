import type { SourceLimits, ToolContext } from '@tool-search/core';
import {
  func,
  inspection,
  isObject,
  list,
  loading,
  milliseconds,
  namespace,
  object,
  oneOf,
  type OptionsOf,
  part,
  record,
  sideEffects,
  sourceLimits,
  sourceName,
  text,
  value,
} from '@tool-search/core/source';
import type { ToolSet } from 'ai';
import { z } from 'zod';

const aiSdkToolDetails = object({
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

/** Properties that an AI SDK tool does not have. */
export interface AiSdkToolDetails extends OptionsOf<typeof aiSdkToolDetails> {}

export const aiSdkSourceOptions = object({
  /** Unique among the application's sources of one owner, 1 to 64 of letters, digits, `_`, `-` and `.`. */
  name: sourceName(),
  /** The tools, or a function that returns them and is called at every load. */
  tools: value<ToolSet | (() => ToolSet | PromiseLike<ToolSet>)>(
    (given) => typeof given === 'function' || isObject(given),
    'a tool set as for generateText(), or a function that returns one',
  ),
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
  /** By the tool's name. A tool without `sideEffects` is `external`. */
  details: record(part<AiSdkToolDetails>(aiSdkToolDetails).unwrap()).optional(),
  /**
   * Returns the tools' `context`, the SDK's `toolsContext`. Validated against the tool's `contextSchema`, if it has
   * one.
   *
   * @default none; tools with a `contextSchema` are left out
   */
  context: func<(context: ToolContext, tool: string) => unknown>().optional(),
  /**
   * Treatment of tools with `needsApproval`: left out, or taken because the application's `policy.approval` lists them.
   * With `by-policy` only that policy asks for approvals; the tool's own `needsApproval` is ignored.
   *
   * @default 'leave-out'
   */
  needsApproval: oneOf('leave-out', 'by-policy').default('leave-out'),
  /** Maximum milliseconds of one call. @default 30000 */
  callTimeoutMs: milliseconds().default(30_000),
  /** The treatment of tools whose texts an inspector suspects. @default the module's `inspection` */
  inspection: inspection().optional(),
  /** Maximum milliseconds of a load, where `tools` is a function. @default 30000; 10000 for request tools */
  loadTimeoutMs: milliseconds().optional(),
  limits: part<SourceLimits>(sourceLimits),
});

/** Options of {@link AiSdkSource}. */
export interface AiSdkSourceOptions extends OptionsOf<typeof aiSdkSourceOptions> {}
