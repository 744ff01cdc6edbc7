import type { Loading, ToolDefinition } from '../tool/tool-definition.js';
import type { JsonSchema } from '../tool/json.js';
import type { ToolContext } from '../tool/tool-context.js';

/** How a toolbox is shown to a model: everything at once, or found on demand. */
export type ExposureMode = 'all' | 'deferred';

/** A tool as the model's list has it. */
export interface ListedTool {
  /** Canonical name. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly loading: Loading;
  /** This run or session has activated it. */
  readonly active: boolean;
  readonly definition: ToolDefinition;
}

/** A tool of the library itself, built and answered by the toolbox. */
export interface MetaTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
}

/** What is asked of a surface. */
export interface SurfaceRequest {
  /** Overrides the module's exposure. */
  readonly mode?: ExposureMode | 'auto';
  /** Tokens of the model's context window; only `auto` needs it. @default the module's `contextWindow` */
  readonly contextWindow?: number;
  /** The user's request, for hints. */
  readonly text?: string;
}

/** Texts for the system prompt or the end of the conversation; computed anew from what is visible at each turn. */
export interface PromptParts {
  /** How to use the meta tools. */
  readonly guidance?: string;
  /** What there is to search, in groups. */
  readonly directory?: string;
  /** Tools that fit the user's request. */
  readonly hints?: string;
}

/** Everything a model needs at one step. */
export interface Surface {
  /** The catalog's revision; process-local. */
  readonly revision: number;
  readonly mode: ExposureMode;
  /** In stable order, new ones at the end. */
  readonly tools: readonly ListedTool[];
  readonly meta: readonly MetaTool[];
  /** Wire name of each canonical name in `tools`. */
  readonly wireNames: ReadonlyMap<string, string>;
  readonly prompt: PromptParts;
}

/** What prompt parts are rendered from: the caller's view alone. */
export interface PromptInput {
  readonly context: ToolContext;
  readonly visible: readonly ToolDefinition[];
  readonly suggested: readonly ToolDefinition[];
}

/** Decides how a toolbox is shown; implemented one floor up. */
export interface Exposure {
  /** What is asked for when a request names no mode. */
  readonly configured: ExposureMode | 'auto';
  modeFor(request: SurfaceRequest, visible: readonly ToolDefinition[]): ExposureMode;
  /** How many tools to suggest for the user's request; 0 = no hints. */
  readonly hints: {
    readonly topK: number;
    readonly includeAlwaysLoaded: boolean;
    readonly type: 'bm25' | 'fts' | 'regex' | 'exact';
  };
  prompt(input: PromptInput): PromptParts;
}
