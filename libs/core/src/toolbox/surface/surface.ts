import type { JsonSchema } from '../../json/json.js';
import type { TokenizerName } from '../../tool/token-count.js';
import type { ToolContext } from '../../tool/tool-context.js';
import type { Loading, ToolDefinition } from '../../tool/tool-definition.js';
import type { SearchType } from '../../tool/tool-event.js';
import type { ToolNaming } from '../../tool/tool-naming.js';
import type { MetaNames } from '../meta-tools/meta-names.js';

/**
 * How a toolbox is shown to a model: everything at once; what is needed, found by search; a fixed list and a bridge
 * through which every tool is called; or what is needed, declared so that the provider defers it.
 */
export type ExposureMode = 'all' | 'deferred' | 'bridge' | 'native';

/** Modes that hold tools back. */
export type DeferringMode = Exclude<ExposureMode, 'all'>;

/** How tools are to be shown; `true` = `auto`, `false` and `'off'` = `all`, `'on'` = always the `deferral`. */
export type ExposureOption = ExposureMode | 'auto' | 'on' | 'off' | boolean;

/** Long form of {@link ExposureOption}; what is left out is as the less specific level has it. */
export interface ExposureRule {
  readonly mode?: ExposureOption;
  /** What `auto` and `'on'` show tools by when they hold some back. @default 'deferred' */
  readonly deferral?: DeferringMode;
  /** Percent of the context window from which `auto` defers. @default 10 */
  readonly thresholdPct?: number;
  /** Tokens of the model's context window. @default 128000 */
  readonly contextWindow?: number;
}

/** What a level of the ladder says: a switch, a mode, or the long form. */
export type ExposureChoice = ExposureOption | ExposureRule;

/** How the mode of a surface came about. */
export interface ExposureReason {
  /** The mode that was asked for. */
  readonly asked: ExposureMode | 'auto';
  /** The most specific level that named a mode. */
  readonly by: 'default' | 'module' | 'context' | 'toolbox' | 'request';
  /** In one sentence. */
  readonly text: string;
  /** What `auto` compared; only there. */
  readonly measured?: {
    /** Tokens of the visible tools that could be held back. */
    readonly deferrableTokens: number;
    readonly thresholdTokens: number;
    readonly contextWindow: number;
    /** What counted. */
    readonly tokenizer: TokenizerName;
  };
}

/** A mode with its reason. */
export interface SettledExposure {
  readonly mode: ExposureMode;
  readonly reason: ExposureReason;
}

/** A tool as the model's list has it. */
export interface ListedTool {
  /** Canonical name. */
  readonly name: string;
  /** The definition's, with its examples where `examples.inDefinitions` asks for them. */
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

/** A tool that a provider would refuse, and with it the whole request. */
export interface LeftOutTool {
  /** Canonical name, or that of a meta tool. */
  readonly tool: string;
  /** For operators. */
  readonly reason: string;
}

/** What is asked of a surface. */
export interface SurfaceRequest {
  /** Overrides what the toolbox, its context and the module say. */
  readonly mode?: ExposureChoice;
  /** Short for `mode: { contextWindow }`. */
  readonly contextWindow?: number;
  /** Whoever asks can have its provider defer tools; else `native` is shown as `deferred`. @default false */
  readonly canDefer?: boolean;
  /** The user's request, for hints. */
  readonly text?: string;
  /** How the model knows tools, for the prompt parts. @default canonical names */
  readonly naming?: ToolNaming;
  /** What tools have answered in the conversation so far, oldest first; read where activations are kept in messages. */
  readonly toolResults?: readonly string[];
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
  /** Stands for all tools that this caller may use, listed or not: another number when one of them changes. */
  readonly revision: number;
  readonly mode: ExposureMode;
  /** How the mode came about; for operators. */
  readonly reason: ExposureReason;
  /**
   * In stable order, new ones at the end. In `native`, those with `loading: 'deferred'` are to be declared as deferred:
   * the model knows them through the answer of a search.
   */
  readonly tools: readonly ListedTool[];
  readonly meta: readonly MetaTool[];
  /** Wire name of each canonical name in `tools`. */
  readonly wireNames: ReadonlyMap<string, string>;
  readonly prompt: PromptParts;
}

/** What prompt parts are rendered from: the caller's view alone. */
export interface PromptInput {
  readonly context: ToolContext;
  readonly mode: DeferringMode;
  readonly visible: readonly ToolDefinition[];
  readonly suggested: readonly ToolDefinition[];
  readonly naming?: ToolNaming | undefined;
  /** What the meta tools of this mode are called. @default none is spoken of */
  readonly metaNames?: Partial<MetaNames>;
}

/** Decides how a toolbox is shown; implemented one floor up. */
export interface Exposure {
  /** `all` is final: nothing is indexed, so nobody can switch search on. */
  readonly configured: ExposureMode | 'auto';
  /**
   * @param own what the toolbox was opened with
   * @throws ToolSearchError `INVALID_REQUEST` for a choice that cannot be read
   */
  settle(
    request: SurfaceRequest,
    context: ToolContext,
    own: ExposureChoice | undefined,
    visible: readonly ToolDefinition[],
  ): SettledExposure;
  /**
   * What is said to whoever was shown nothing yet: as asked for, or as `auto` shows tools when it holds some back.
   *
   * @throws ToolSearchError as `settle`
   */
  assumed(context: ToolContext, own: ExposureChoice | undefined): ExposureMode;
  /** How many tools to suggest for the user's request; 0 = no hints. */
  readonly hints: {
    readonly topK: number;
    readonly includeAlwaysLoaded: boolean;
    readonly type: SearchType;
  };
  prompt(input: PromptInput): PromptParts;
}
