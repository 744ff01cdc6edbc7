import type { SurfaceRequest, Toolbox } from '@tool-search/core';
import type { LeftOutTool } from '@tool-search/core/internal';
export type { LeftOutTool } from '@tool-search/core/internal';
import type { ProviderLimits } from './provider-limits.js';

/** The part of a toolbox that an agent needs. */
export type AgentToolbox = Pick<Toolbox, 'visible' | 'surface' | 'call'> &
  Partial<Pick<Toolbox, 'metaKinds' | 'reportLeftOut'>>;

/** How an adapter shows a toolbox. */
export interface AdapterOptions extends Pick<SurfaceRequest, 'mode' | 'contextWindow'> {
  /**
   * Place of guidance, directory and hints: `system`, in the system prompt; `end`, after the last message, where a
   * change does not invalidate the prompt cache; or `none`.
   * @default 'system'
   */
  readonly prompt?: 'system' | 'end' | 'none';
  /**
   * Called once for each tool that is left out because its provider would refuse the whole request. The event
   * `tool.left_out` reports the same. @default none
   */
  readonly onLeftOut?: (tool: LeftOutTool) => void;
  /** For servers with other limits than their provider. @default the provider's own */
  readonly limits?: Partial<ProviderLimits>;
}
