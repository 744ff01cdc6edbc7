import type { ToolContext } from '@tool-search/core';
import { func, isObject, object, oneOf, type OptionsOf, value } from '@tool-search/core/internal';
import type { ToolSet } from 'ai';
import { type SdkSourceOptions, sdkSourceOptions } from '../wire/sdk-source-options.js';

const ownOptions = object({
  /** The tools, or a function that returns them and is called at every load. */
  tools: value<ToolSet | (() => ToolSet | PromiseLike<ToolSet>)>(
    (given) => typeof given === 'function' || isObject(given),
    'a tool set as for generateText(), or a function that returns one',
  ),
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
});

export const aiSdkSourceOptions = object({ ...sdkSourceOptions.shape, ...ownOptions.shape });

/** Options of {@link AiSdkSource}. */
export interface AiSdkSourceOptions extends SdkSourceOptions, OptionsOf<typeof ownOptions> {}
