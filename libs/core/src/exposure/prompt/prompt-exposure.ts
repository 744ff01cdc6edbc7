import { z } from 'zod';
import { type ToolContext, eventIds } from '../../tool/tool-context.js';
import { described, flag, func, object, type OptionsOf, part, type SettingsOf, whole } from '../../options/options.js';
import { searchType } from '../../tool/source/source-options.js';
import {
  type ExposureRule,
  exposureRule,
  type DeferringMode,
  type Exposure,
  type ExposureChoice,
  type ExposureMode,
  type PromptInput,
  type PromptParts,
  type SettledExposure,
  type SurfaceRequest,
} from '../../toolbox/surface/surface.js';
import type { MetaNames } from '../../tool/meta-names.js';
import { metaName } from '../../toolbox/meta-tools/legal-meta-name.js';
import { oneLine } from '../../toolbox/search/short-lines.js';
import type { DefinitionTokens } from '../../tool/token-count.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { ToolEvents } from '../../tool/tool-event.js';
import { type DirectoryOptions, directoryOptions, type DirectorySettings, renderDirectory } from './directory.js';
import { askedExposure, type AskedExposure, DEFAULT_EXPOSURE, settledExposure } from '../exposure-mode.js';

export const hintOptions = object({
  /** Suggests tools for the user's request before the model searches. @default false */
  enabled: flag().default(false),
  /** Number of suggested tools. @default 5 */
  topK: whole(1, 20).default(5),
  /** Also suggests tools that are always loaded. @default false */
  includeAlwaysLoaded: flag().default(false),
  /** @default 'bm25' */
  type: searchType().default('bm25'),
});

export interface HintOptions extends OptionsOf<typeof hintOptions> {}

const ownOptions = object({
  /** Chooses the exposure by a request's context; `undefined` keeps the module's. @default none */
  forContext: func<(context: ToolContext) => ExposureChoice | undefined>().optional(),
  /** Tells the model how to use the meta tools. An own text is used in every mode. @default true */
  guidance: described(
    z.union([z.boolean(), z.string().regex(/\S/).max(20_000)]),
    'true, false or a text of up to 20,000 characters',
  ).default(true),
  /** Names of the meta tools. @default those of the preset, else `tool_search`, `tool_get`, `tool_load`, `tool_call`, `tool_result` */
  metaTools: object({
    search: metaName().optional(),
    get: metaName().optional(),
    load: metaName().optional(),
    call: metaName().optional(),
    result: metaName().optional(),
  } satisfies Record<keyof MetaNames, unknown>).optional(),
  hints: part<HintOptions>(hintOptions),
  directory: part<DirectoryOptions>(directoryOptions),
});

export const exposureSchema = object({ ...exposureRule.shape, ...ownOptions.shape });

/** Settings of how models see the tools. */
export interface ExposureOptions extends ExposureRule, OptionsOf<typeof ownOptions> {}

/** {@link ExposureOptions} with the defaults of every part. */
export interface ExposureSettings extends SettingsOf<typeof exposureSchema> {
  readonly hints: SettingsOf<typeof hintOptions>;
  readonly directory: DirectorySettings;
}

export class PromptExposure implements Exposure {
  readonly configured: ExposureMode | 'auto';
  readonly hints: Exposure['hints'];
  readonly #asked: AskedExposure;

  constructor(
    private readonly settings: ExposureSettings,
    private readonly tokens: DefinitionTokens,
    private readonly events: ToolEvents,
  ) {
    this.#asked = askedExposure(DEFAULT_EXPOSURE, settings, 'module');
    this.configured = this.#asked.mode;
    const { enabled, topK, includeAlwaysLoaded, type } = settings.hints;
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

  /** Whether the module's setting holds some of these tools back; contexts and requests may say otherwise. */
  defers(tools: readonly ToolDefinition[]): boolean {
    return settledExposure(this.#asked, tools, this.tokens, true).mode !== 'all';
  }

  /** Whether another token counter may find that {@link defers} is true: for half the threshold, to be safe. */
  mayDefer(tools: readonly ToolDefinition[]): boolean {
    const { thresholdPct } = this.#asked;
    return settledExposure({ ...this.#asked, thresholdPct: thresholdPct / 2 }, tools, this.tokens, true).mode !== 'all';
  }

  assumed(context: ToolContext, own: ExposureChoice | undefined): ExposureMode {
    const { mode, deferral } = this.configured === 'all' ? this.#asked : this.#askedBy(context, own);
    return mode === 'auto' ? deferral : mode;
  }

  prompt({ context, mode, visible, suggested, naming, metaNames = {} }: PromptInput): PromptParts {
    const shown = naming?.shown ?? ((name: string) => name);
    const parts: { -readonly [K in keyof PromptParts]: PromptParts[K] } = {};
    const { directory, guidance } = this.settings;
    if (guidance !== false) parts.guidance = guidance === true ? guidanceText(mode, metaNames) : guidance;
    if (directory.enabled) {
      const deferred = visible.filter((tool) => tool.loading === 'deferred');
      const terms = { shown, search: metaNames.search ?? 'tool_search', count: this.tokens.count };
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
    return askedExposure(askedExposure(this.#asked, this.settings.forContext?.(context), 'context'), own, 'toolbox');
  }
}

/** How to use the meta tools, in a few sentences. @param names a meta tool without a name is not mentioned */
export function guidanceText(mode: DeferringMode, { search, get, load, call }: Partial<MetaNames>): string {
  const read = get === undefined ? [] : [`Read unfamiliar arguments with ${get}.`];
  const then = {
    deferred: [
      load === undefined ? LISTED : `Load what you need with ${load}; you call it by its own name after that.`,
    ],
    bridge: call === undefined ? [] : [`Found tools are never listed: call each through ${call}, by its exact name.`],
    native: ['The tools it finds become available to you: call them by their own names.'],
  };
  return [
    ...(search === undefined ? ['Most tools are not listed.'] : finding(mode, search)),
    ...(mode === 'bridge' ? [...read, ...then.bridge] : [...then[mode], ...read]),
    ...(search === undefined
      ? []
      : [
          'Call a found tool only if its description fits, above all where the verdict is "weak".',
          `When ${search} finds nothing twice, say so instead of searching again.`,
        ]),
  ].join(' ');
}

const LISTED = 'From your next step on, you call a found tool by its own name.';

function finding(mode: DeferringMode, search: string): readonly string[] {
  const held = mode === 'native' ? 'Most tools are held back until you search for them.' : 'Most tools are not listed.';
  // The description of the argument says how to word a query.
  return [held, `When no listed tool does what is asked, find one with ${search}.`];
}
