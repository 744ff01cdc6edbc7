import type { LeftOutTool, SurfaceRequest, Toolbox } from '@tool-search/core';
import type { ProviderLimits } from './provider-limits.js';

export type { LeftOutTool } from '@tool-search/core';

/** The part of a toolbox that an agent needs. */
export type AgentToolbox = Pick<Toolbox, 'visible' | 'surface' | 'call'> &
  Partial<Pick<Toolbox, 'metaKinds' | 'reportLeftOut'>>;

/** How an adapter shows a toolbox. */
export interface AdapterOptions extends Pick<SurfaceRequest, 'mode' | 'contextWindow'> {
  /**
   * Where guidance, directory and hints go: into the system prompt, behind the last message, where a change spoils no
   * prompt cache, or nowhere. @default 'system'
   */
  readonly prompt?: 'system' | 'end' | 'none';
  /**
   * Told once of each tool that is left out because its provider would refuse it, and with it the whole request. The event
   * `tool.left_out` says the same. @default nobody is told
   */
  readonly onLeftOut?: (tool: LeftOutTool) => void;
  /** Where the server takes more or less than its provider does. @default the provider's own */
  readonly limits?: Partial<ProviderLimits>;
}
