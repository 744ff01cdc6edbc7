import type { ToolContext } from '@tool-search/core';
import { func, isObject, object, oneOf, type OptionsOf, value } from '@tool-search/core/internal';
import { type SdkSourceOptions, sdkSourceOptions } from '../wire/sdk-source-options.js';
import type { MastraTools } from './mastra-types.js';

const ownOptions = object({
  /** The tools, or a function that returns them and is called at every load. A tool's `id` is its name. */
  tools: value<MastraTools | (() => MastraTools | PromiseLike<MastraTools>)>(
    (given) => typeof given === 'function' || isObject(given),
    'tools of createTool() by name, or a function that returns them',
  ),
  /**
   * Returns the tools' `requestContext`, an instance of `RequestContext`, which Mastra validates against the tool's
   * `requestContextSchema`.
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
});

export const mastraSourceOptions = object({ ...sdkSourceOptions.shape, ...ownOptions.shape });

/** Options of {@link MastraSource}. */
export interface MastraSourceOptions extends SdkSourceOptions, OptionsOf<typeof ownOptions> {}
