import { z } from 'zod';
import { described, object, oneOf, type OptionsOf, whole } from '../../options/options.js';
import type { JsonSchema } from '../../json/json.js';
import type { TokenizerName } from '../../tool/token-count.js';
import type { ToolContext } from '../../tool/tool-context.js';
import type { Loading, ToolDefinition } from '../../tool/tool-definition.js';
import type { SearchType } from '../../tool/tool-event.js';
import type { ToolNaming } from '../../tool/tool-name.js';
import type { MetaKind, MetaNames } from '../../tool/meta-names.js';

/**
 * How a toolbox is shown to a model. `all`: everything at once; `deferred`: tools that are always loaded or were found
 * by search; `bridge`: a fixed list and one tool through which every other tool is called; `native`: as `deferred`,
 * declared so that the provider defers the tools.
 */
export type ExposureMode = (typeof EXPOSURE_MODES)[number];

/** All values of {@link DeferringMode}. */
export const DEFERRALS = ['deferred', 'bridge', 'native'] as const;

/** All values of {@link ExposureMode}. */
export const EXPOSURE_MODES = ['all', ...DEFERRALS] as const;

/** Modes that do not list everything at once. */
export type DeferringMode = (typeof DEFERRALS)[number];

/** All values of {@link ExposureOption}. */
export const EXPOSURE_OPTIONS = [...EXPOSURE_MODES, 'auto', 'on', 'off', true, false] as const;

/** How to show tools; `true` = `auto`, `false` and `'off'` = `all`, `'on'` = always the mode in `deferral`. */
export type ExposureOption = (typeof EXPOSURE_OPTIONS)[number];

export const exposureRule = object({
  /** How to show tools. @default 'auto' */
  mode: oneOf(...EXPOSURE_OPTIONS).optional(),
  /** The mode that `auto` and `'on'` use to hold tools back. @default 'deferred' */
  deferral: oneOf(...DEFERRALS).default('deferred'),
  /** Percentage of the context window from which `auto` defers tools. @default 10 */
  thresholdPct: described(z.number().gt(0).max(100), 'a number over 0, at most 100').default(10),
  /** Tokens of the model's context window. @default 128000 */
  contextWindow: whole(1000, 100_000_000).default(128_000),
});

/** Long form of {@link ExposureOption}; omitted fields come from the less specific level. */
export interface ExposureRule extends OptionsOf<typeof exposureRule> {}

/** The exposure setting of one level: a switch, a mode, or the long form. */
export type ExposureChoice = ExposureOption | ExposureRule;

export interface ExposureReason {
  readonly asked: ExposureMode | 'auto';
  /** The most specific level that set a mode. */
  readonly by: 'default' | 'module' | 'context' | 'toolbox' | 'request';
  /** One sentence. */
  readonly text: string;
  /** The values that `auto` compared; only present for `auto`. */
  readonly measured?: {
    /** Tokens of the visible tools that could be deferred. */
    readonly deferrableTokens: number;
    readonly thresholdTokens: number;
    readonly contextWindow: number;
    readonly tokenizer: TokenizerName;
  };
}

export interface SettledExposure {
  readonly mode: ExposureMode;
  readonly reason: ExposureReason;
}

/** A tool in the model's list. */
export interface ListedTool {
  /** Canonical name. */
  readonly name: string;
  /** The definition's, with its examples where `examples.inDefinitions` is set. */
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly loading: Loading;
  /** Whether this run or session has activated the tool. */
  readonly active: boolean;
  readonly definition: ToolDefinition;
}

/** A tool of the library itself, defined and answered by the toolbox. */
export interface MetaTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
}

/** A tool for which a provider would refuse the whole request. */
export interface LeftOutTool {
  /** Canonical name, or the name of a meta tool. */
  readonly tool: string;
  /** For operators. */
  readonly reason: string;
}

/** Options of one surface. */
export interface SurfaceRequest {
  /** Overrides the settings of the toolbox, its context and the module. */
  readonly mode?: ExposureChoice;
  /** Short for `mode: { contextWindow }`. */
  readonly contextWindow?: number;
  /** Whether the caller's provider can defer tools; otherwise `native` is shown as `deferred`. @default false */
  readonly canDefer?: boolean;
  /** The user's request, for hints. */
  readonly text?: string;
  /** Tool names in the prompt parts. @default canonical names */
  readonly naming?: ToolNaming;
  /**
   * Texts of the conversation's tool results, oldest first: for activations that are kept in messages, and for results
   * that were shortened.
   */
  readonly toolResults?: readonly string[];
  /**
   * Lists the meta tool that reads on in shortened results from the start, for a list that must not grow. It is never
   * listed in `bridge`, where it is called through the bridge.
   *
   * @default false: once the run or session holds such a result
   */
  readonly listsResultTool?: boolean;
}

/** Texts for the system prompt or the end of the conversation, computed at each turn from what is visible. */
export interface PromptParts {
  /** How to use the meta tools. */
  readonly guidance?: string;
  /** The searchable tools, in groups. */
  readonly directory?: string;
  /** Tools that match the user's request. */
  readonly hints?: string;
}

/** Everything a model needs at one step. */
export interface Surface {
  /** A number that changes when any tool that this caller may use changes, listed or not. */
  readonly revision: number;
  readonly mode: ExposureMode;
  /** Why the mode was chosen; for operators. */
  readonly reason: ExposureReason;
  /**
   * In stable order, new tools at the end. In `native`, tools with `loading: 'deferred'` must be declared as deferred:
   * the model knows them from the answer of a search.
   */
  readonly tools: readonly ListedTool[];
  readonly meta: readonly MetaTool[];
  /** Wire name of each canonical name in `tools`. */
  readonly wireNames: ReadonlyMap<string, string>;
  readonly prompt: PromptParts;
}

/** Input of the prompt parts: only tools that the caller can see. */
export interface PromptInput {
  readonly context: ToolContext;
  readonly mode: DeferringMode;
  readonly visible: readonly ToolDefinition[];
  readonly suggested: readonly ToolDefinition[];
  readonly naming?: ToolNaming | undefined;
  /** Meta tool names of this mode. @default no meta tool is mentioned */
  readonly metaNames?: Partial<MetaNames>;
}

/** Decides how a toolbox is shown. Implemented by `PromptExposure`. */
export interface Exposure {
  /** `all` is final: nothing is indexed, so search cannot be switched on later. */
  readonly configured: ExposureMode | 'auto';
  /**
   * @param own the setting with which the toolbox was opened
   * @throws ToolSearchError `INVALID_REQUEST` for an invalid setting
   */
  settle(
    request: SurfaceRequest,
    context: ToolContext,
    own: ExposureChoice | undefined,
    visible: readonly ToolDefinition[],
  ): SettledExposure;
  /**
   * The mode to assume before a surface was shown: the requested one, or the mode that `auto` uses to hold tools back.
   *
   * @throws ToolSearchError as `settle`
   */
  assumed(context: ToolContext, own: ExposureChoice | undefined): ExposureMode;
  /** `topK`: number of tools to suggest for the user's request; 0 = no hints. */
  readonly hints: {
    readonly topK: number;
    readonly includeAlwaysLoaded: boolean;
    readonly type: SearchType;
  };
  prompt(input: PromptInput): PromptParts;
}

export interface ShownStep {
  readonly context: ToolContext;
  /** The same object for all steps of one run on this process. */
  readonly run: object;
  /** The tools that a plain list would show; the same array as long as nothing changes. */
  readonly visible: readonly ToolDefinition[];
  readonly surface: Surface;
}

export interface MetaAnswer {
  readonly context: ToolContext;
  readonly kind: MetaKind;
  readonly input: unknown;
  readonly answer: unknown;
}

/** Counts the tokens of surfaces and of meta tool answers. Implemented by `TokenLedger`. Must not throw. */
export interface StepLedger {
  /** Whether steps in this mode are counted. */
  isOn(mode: ExposureMode): boolean;
  shown(step: ShownStep): void;
  answered(answer: MetaAnswer): void;
}
