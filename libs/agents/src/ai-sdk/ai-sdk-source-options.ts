import {
  type Loading,
  type SourceLimits,
  type ToolContext,
  type ToolDeclaration,
  ToolSearchError,
} from '@tool-search/core';
import type { ToolSet } from 'ai';

/** Properties that an AI SDK tool does not have. */
export interface AiSdkToolDetails extends Pick<
  ToolDeclaration,
  'tags' | 'sideEffects' | 'loading' | 'exampleQueries' | 'aliases' | 'safetyNotes' | 'timeoutMs'
> {
  /** @default the tool's own, if it is a string */
  readonly description?: string;
}

/** Options of {@link AiSdkSource}. */
export interface AiSdkSourceOptions {
  /** Unique among the application's sources of one owner, 1 to 64 of letters, digits, `_`, `-` and `.`. */
  readonly name: string;
  /** The tools, or a function that returns them and is called at every load. */
  readonly tools: ToolSet | (() => ToolSet | PromiseLike<ToolSet>);
  /** The tenant that owns this source. @default all tenants share it */
  readonly owner?: string;
  /** Prefix of every tool's name. @default the source's name */
  readonly namespace?: string;
  /** Purpose of the source's tools as a whole: indexed with each of them, never shown. @default none */
  readonly description?: string;
  /** @default 'deferred' */
  readonly loading?: Loading;
  /** Added to every tool of the source, before the tags in its details. */
  readonly tags?: readonly string[];
  /** By the tool's name. A tool without `sideEffects` is `external`. */
  readonly details?: Readonly<Record<string, AiSdkToolDetails>>;
  /**
   * Returns the tools' `context`, the SDK's `toolsContext`. Validated against the tool's `contextSchema`, if it has
   * one.
   *
   * @default none; tools with a `contextSchema` are left out
   */
  readonly context?: (context: ToolContext, tool: string) => unknown;
  /**
   * Treatment of tools with `needsApproval`: left out, or taken because the application's `policy.approval` lists them.
   * With `by-policy` only that policy asks for approvals; the tool's own `needsApproval` is ignored.
   *
   * @default 'leave-out'
   */
  readonly needsApproval?: 'leave-out' | 'by-policy';
  /** Maximum milliseconds of one call. @default 30000 */
  readonly callTimeoutMs?: number;
  /** Maximum milliseconds of a load, where `tools` is a function. @default 30000 */
  readonly loadTimeoutMs?: number;
  readonly limits?: SourceLimits;
}

/** Refuses invalid options before the first load. @throws ToolSearchError `INVALID_CONFIGURATION` */
export function checkAiSdkOptions({ name, namespace = name, tools, needsApproval }: AiSdkSourceOptions): void {
  const refuse = (fault: string, hint: string): never => {
    const message = `AI SDK source ${JSON.stringify(name)}: ${fault}.`;
    throw new ToolSearchError('INVALID_CONFIGURATION', message, { hint });
  };
  for (const [field, value] of Object.entries({ name, namespace })) {
    if (typeof value !== 'string' || !/^[A-Za-z0-9_.-]{1,64}$/.test(value)) {
      refuse(`the ${field} is not usable`, 'Use 1 to 64 of letters, digits, "_", "-" and ".".');
    }
  }
  if (typeof tools !== 'function' && (typeof tools !== 'object' || tools === null)) {
    refuse('tools is no tool set', 'Pass the object you would pass to generateText(), or a function that gives it.');
  }
  if (needsApproval !== undefined && needsApproval !== 'leave-out' && needsApproval !== 'by-policy') {
    refuse('needsApproval is unknown', "Use 'leave-out' or 'by-policy'.");
  }
}
