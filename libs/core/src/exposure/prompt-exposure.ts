import type { Exposure, ExposureMode, PromptInput, PromptParts, SurfaceRequest } from '../toolbox/surface.js';
import { oneLine } from '../toolbox/one-line.js';
import { principalOf } from '../tool/principal.js';
import type { DefinitionTokens } from '../tool/token-count.js';
import type { ToolDefinition } from '../tool/tool-definition.js';
import type { SearchType, ToolEvents } from '../tool/tool-event.js';
import { type DirectoryOptions, renderDirectory } from './directory.js';
import { askedMode, exposureMode, type ExposureOption, settledMode } from './exposure-mode.js';

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

/** Settings of how tools are shown. */
export interface ExposureOptions {
  /** @default 'auto' */
  readonly mode?: ExposureOption;
  /** Percent of the context window from which `auto` defers. @default 10 */
  readonly thresholdPct?: number;
  /** Tokens of the model's context window. @default 128000 */
  readonly contextWindow?: number;
  /** Tell the model how to use the meta tools. @default true */
  readonly guidance?: boolean;
  readonly hints?: HintOptions;
  readonly directory?: DirectoryOptions;
}

const GUIDANCE = [
  'Most tools are not listed. When no listed tool does what is asked, find one with tool_search:',
  'name the action and its object in a few words. Read unfamiliar arguments with tool_get.',
  'When tool_search finds nothing twice, say so instead of searching again.',
].join(' ');

/** Decides the mode and writes the prompt parts. */
export class PromptExposure implements Exposure {
  readonly configured: ExposureMode | 'auto';
  readonly hints: Exposure['hints'];

  constructor(
    private readonly options: ExposureOptions,
    private readonly tokens: DefinitionTokens,
    private readonly events: ToolEvents,
  ) {
    this.configured = exposureMode(options.mode ?? 'auto');
    const { enabled = false, topK = 5, includeAlwaysLoaded = false, type = 'bm25' } = options.hints ?? {};
    this.hints = { topK: enabled ? topK : 0, includeAlwaysLoaded, type };
  }

  modeFor(request: SurfaceRequest, visible: readonly ToolDefinition[]): ExposureMode {
    return settledMode(askedMode(request, this.configured), visible, this.tokens, {
      thresholdPct: this.options.thresholdPct ?? 10,
      contextWindow: request.contextWindow ?? this.options.contextWindow ?? 128_000,
    });
  }

  prompt({ context, visible, suggested }: PromptInput): PromptParts {
    const parts: { -readonly [K in keyof PromptParts]: PromptParts[K] } = {};
    if (this.options.guidance !== false) parts.guidance = GUIDANCE;
    const { directory } = this.options;
    if (directory?.enabled) {
      const deferred = visible.filter((tool) => tool.loading === 'deferred');
      const { text, groups, tools } = renderDirectory(deferred, directory);
      if (text !== '') parts.directory = text;
      this.events.emit({ type: 'directory.rendered', ...principalOf(context), groups, tools });
    }
    if (suggested.length > 0) {
      const lines = suggested.map((tool) => `- ${tool.name}: ${oneLine(tool.description)}`);
      parts.hints = `<tool_hints>\nTools that may fit this request:\n${lines.join('\n')}\n</tool_hints>`;
      this.events.emit({ type: 'hints.rendered', ...principalOf(context), tools: suggested.length });
    }
    return parts;
  }
}
