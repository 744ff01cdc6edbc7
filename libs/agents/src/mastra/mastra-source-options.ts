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
import { z } from 'zod';
import type { MastraTools } from './mastra-types.js';

const mastraToolDetails = object({
  /** @default the tool's own */
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

/** Properties that a Mastra tool does not have. */
export interface MastraToolDetails extends OptionsOf<typeof mastraToolDetails> {}

export const mastraSourceOptions = object({
  /** Unique among the application's sources of one owner, 1 to 64 of letters, digits, `_`, `-` and `.`. */
  name: sourceName(),
  /** The tools, or a function that returns them and is called at every load. A tool's `id` is its name. */
  tools: value<MastraTools | (() => MastraTools | PromiseLike<MastraTools>)>(
    (given) => typeof given === 'function' || isObject(given),
    'tools of createTool() by name, or a function that returns them',
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
  /** By the tool's id. A tool without `sideEffects` is `external`. */
  details: record(part<MastraToolDetails>(mastraToolDetails).unwrap()).optional(),
  /**
   * Returns the tools' `requestContext`, an instance of `RequestContext`, which Mastra validates against the tool's `requestContextSchema`.
   *
   * @default an empty one; tools with a `requestContextSchema` are left out
   */
  requestContext: func<(context: ToolContext, tool: string) => object | PromiseLike<object>>().optional(),
  /** The tools' `mastra`. @default none */
  mastra: value<object>(isObject, 'an instance of Mastra').optional(),
  /**
   * Treatment of tools with `requireApproval`: left out, or taken because the application's `policy.approval` lists
   * them. With `by-policy` only that policy asks for approvals; the tool's own `requireApproval` is ignored.
   *
   * @default 'leave-out'
   */
  requireApproval: oneOf('leave-out', 'by-policy').default('leave-out'),
  /** Maximum milliseconds of one call. @default 30000 */
  callTimeoutMs: milliseconds().default(30_000),
  /** Maximum milliseconds of a load, where `tools` is a function. @default 30000; 10000 for request tools */
  loadTimeoutMs: milliseconds().optional(),
  /** The treatment of tools whose texts an inspector suspects. @default the module's `inspection` */
  inspection: inspection().optional(),
  limits: part<SourceLimits>(sourceLimits),
});

/** Options of {@link MastraSource}. */
export interface MastraSourceOptions extends OptionsOf<typeof mastraSourceOptions> {}
