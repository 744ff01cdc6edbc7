import {
  type Loading,
  type SourceLimits,
  type ToolContext,
  type ToolDeclaration,
  ToolSearchError,
} from '@tool-search/core';
import type { ToolSet } from 'ai';

/** What an AI SDK tool cannot say of itself. */
export interface AiSdkToolDetails extends Pick<
  ToolDeclaration,
  'tags' | 'sideEffects' | 'loading' | 'exampleQueries' | 'aliases' | 'safetyNotes' | 'timeoutMs'
> {
  /** @default the tool's own, if that is a text */
  readonly description?: string;
}

/** Options of {@link AiSdkSource}. */
export interface AiSdkSourceOptions {
  /** Unique among the application's sources of one owner, 1 to 64 of letters, digits, `_`, `-` and `.`. */
  readonly name: string;
  /** The tools, or what gives them; asked at every load. */
  readonly tools: ToolSet | (() => ToolSet | PromiseLike<ToolSet>);
  /** The tenant whose own source this is. @default a source that all tenants share */
  readonly owner?: string;
  /** Put before every tool's name. @default the source's name */
  readonly namespace?: string;
  /** What its tools are for as a whole: searched with each of them, never shown. @default none */
  readonly description?: string;
  /** @default 'deferred' */
  readonly loading?: Loading;
  /** Given to every tool of the source, before those of its own details. */
  readonly tags?: readonly string[];
  /** By the tool's name. A tool that says nothing of its side effects is `external`. */
  readonly details?: Readonly<Record<string, AiSdkToolDetails>>;
  /**
   * What tools get as `context`, the SDK's `toolsContext`: checked against the tool's `contextSchema`, if it has one.
   *
   * @default none; tools with a `contextSchema` are left out
   */
  readonly context?: (context: ToolContext, tool: string) => unknown;
  /**
   * Tools with `needsApproval`: left out, or taken because the application's `policy.approval` names them. Nothing else here
   * asks for an approval, and the tool's own wish is not looked at any more.
   *
   * @default 'leave-out'
   */
  readonly needsApproval?: 'leave-out' | 'by-policy';
  /** Milliseconds one call may take. @default 30000 */
  readonly callTimeoutMs?: number;
  /** Milliseconds a load may take, where the tools are asked for. @default 30000 */
  readonly loadTimeoutMs?: number;
  readonly limits?: SourceLimits;
}

/** Refuses options that could only fail later. @throws ToolSearchError `INVALID_CONFIGURATION` */
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
