import type { SurfaceRequest, Toolbox } from '@tool-search/core';

/** The part of a toolbox that an agent needs. */
export type AgentToolbox = Pick<Toolbox, 'visible' | 'surface' | 'call'> & Partial<Pick<Toolbox, 'metaKinds'>>;

/** How an adapter shows a toolbox. */
export interface AdapterOptions extends Pick<SurfaceRequest, 'mode' | 'contextWindow'> {
  /**
   * Where guidance, directory and hints go: into the system prompt, behind the last message, where a change spoils no
   * prompt cache, or nowhere. @default 'system'
   */
  readonly prompt?: 'system' | 'end' | 'none';
  /** Told of a tool that is left out of a request because its provider would refuse it. @default nobody is told */
  readonly onLeftOut?: (tool: LeftOutTool) => void;
}

/** A tool that a provider would refuse, and with it the whole request. */
export interface LeftOutTool {
  /** Canonical name. */
  readonly tool: string;
  /** For operators. */
  readonly reason: string;
}
