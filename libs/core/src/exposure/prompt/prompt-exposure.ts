import type { ToolContext } from '../../tool/tool-context.js';
import type {
  Exposure,
  ExposureChoice,
  ExposureMode,
  ExposureRule,
  PromptInput,
  PromptParts,
  SettledExposure,
  SurfaceRequest,
} from '../../toolbox/surface/surface.js';
import type { MetaNames } from '../../toolbox/meta-tools/meta-names.js';
import { oneLine } from '../../toolbox/search/one-line.js';
import { eventIds } from '../../tool/event-ids.js';
import { type DefinitionTokens, estimateTokens, type TokenCounter } from '../../tool/token-count.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { SearchType, ToolEvents } from '../../tool/tool-event.js';
import { type DirectoryOptions, renderDirectory } from './directory.js';
import { guidanceText } from './guidance.js';
import { askedExposure, type AskedExposure, DEFAULT_EXPOSURE, settledExposure } from '../exposure-mode.js';

/** Settings of hints: tools suggested for the user's request before the model searches. */
export interface HintOptions {
  /** @default false */
  readonly enabled?: boolean;
  /** 1 to 20. @default 5 */
  readonly topK?: number;
  /** @default false */
  readonly includeAlwaysLoaded?: boolean;
  /** @default 'bm25' */
  readonly type?: SearchType;
}

/** Settings of how models see the tools. */
export interface ExposureOptions extends ExposureRule {
  /** Chooses the exposure by a request's context; `undefined` keeps the module's. @default none */
  readonly forContext?: (context: ToolContext) => ExposureChoice | undefined;
  /** Tells the model how to use the meta tools. An own text is used in every mode. @default true */
  readonly guidance?: boolean | string;
  /** Names of the meta tools. @default those of the preset, else `tool_search`, `tool_get`, `tool_load`, `tool_call` */
  readonly metaTools?: Partial<MetaNames>;
  readonly hints?: HintOptions;
  readonly directory?: DirectoryOptions;
}

/** Decides the mode and writes the prompt parts. */
export class PromptExposure implements Exposure {
  readonly configured: ExposureMode | 'auto';
  readonly hints: Exposure['hints'];
  readonly #asked: AskedExposure;

  constructor(
    private readonly options: ExposureOptions,
    private readonly tokens: DefinitionTokens,
    private readonly events: ToolEvents,
    private readonly count: TokenCounter = estimateTokens,
  ) {
    this.#asked = askedExposure(DEFAULT_EXPOSURE, options, 'module');
    this.configured = this.#asked.mode;
    const { enabled = false, topK = 5, includeAlwaysLoaded = false, type = 'bm25' } = options.hints ?? {};
    this.hints = { topK: enabled ? topK : 0, includeAlwaysLoaded, type };
  }

  settle(
    { mode, contextWindow, canDefer = false }: SurfaceRequest,
    context: ToolContext,
    own: ExposureChoice | undefined,
    visible: readonly ToolDefinition[],
  ): SettledExposure {
    // If the module lists all tools, no request can enable search: without an index nothing could be found.
    if (this.configured === 'all') return settledExposure(this.#asked, visible, this.tokens, canDefer);
    let asked = askedExposure(this.#askedBy(context, own), mode, 'request');
    asked = askedExposure(asked, contextWindow === undefined ? undefined : { contextWindow }, 'request');
    return settledExposure(asked, visible, this.tokens, canDefer);
  }

  assumed(context: ToolContext, own: ExposureChoice | undefined): ExposureMode {
    const { mode, deferral } = this.configured === 'all' ? this.#asked : this.#askedBy(context, own);
    return mode === 'auto' ? deferral : mode;
  }

  prompt({ context, mode, visible, suggested, naming, metaNames = {} }: PromptInput): PromptParts {
    const shown = naming?.shown ?? ((name: string) => name);
    const parts: { -readonly [K in keyof PromptParts]: PromptParts[K] } = {};
    const { directory, guidance = true } = this.options;
    if (guidance !== false) parts.guidance = guidance === true ? guidanceText(mode, metaNames) : guidance;
    if (directory?.enabled) {
      const deferred = visible.filter((tool) => tool.loading === 'deferred');
      const terms = { shown, search: metaNames.search ?? 'tool_search', count: this.count };
      const { text, ...shows } = renderDirectory(deferred, directory, terms);
      if (text !== '') parts.directory = text;
      this.events.emit({ type: 'directory.rendered', ...eventIds(context), ...shows });
    }
    if (suggested.length > 0) {
      const lines = suggested.map((tool) => `- ${shown(tool.name)}: ${oneLine(tool.description)}`);
      parts.hints = `<tool_hints>\nTools that may fit this request:\n${lines.join('\n')}\n</tool_hints>`;
      this.events.emit({ type: 'hints.rendered', ...eventIds(context), tools: suggested.length });
    }
    return parts;
  }

  #askedBy(context: ToolContext, own: ExposureChoice | undefined): AskedExposure {
    return askedExposure(askedExposure(this.#asked, this.options.forContext?.(context), 'context'), own, 'toolbox');
  }
}
