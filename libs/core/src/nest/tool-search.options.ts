import type { Type } from '@nestjs/common';
import type { ToolPolicy } from '../access/tool-policy.js';
import type { ActivationOptions } from '../activation/tool-activations.js';
import type { CatalogOptions } from '../catalog/tool-catalog.js';
import type { ExposureOption } from '../exposure/exposure-mode.js';
import type { ExposureOptions } from '../exposure/prompt-exposure.js';
import type { ToolIndex } from '../search/tool-index.js';
import type { TokenCounter } from '../tool/token-count.js';
import type { ToolContext } from '../tool/tool-context.js';
import type { Loading } from '../tool/tool-definition.js';
import type { ToolSource } from '../tool/tool-source.js';
import type { ExampleOptions } from '../toolbox/described-tool.js';
import type { FinderOptions } from '../toolbox/tool-finder.js';
import type { RunnerOptions } from '../toolbox/tool-runner.js';

/** A source as a value, or a provider of the application that implements it. */
export type SourceOption = ToolSource | Type<ToolSource>;

/** Options of `ToolSearchModule.forRoot`. */
export interface ToolSearchModuleOptions {
  /**
   * Who is asking, from the request and after its guards have run. Throwing means: nobody, so the request sees no tool
   * and is answered with 401.
   */
  // Applications type their own request; `any` keeps `(request: Request) => …` legal.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly context: (request: any) => ToolContext | Promise<ToolContext>;
  /** Where tools come from besides `@Tool()` methods. @default [] */
  readonly sources?: readonly SourceOption[];
  /** Hard limits for everybody. @default none */
  readonly policy?: ToolPolicy;
  /** Loading of tools for which neither they nor their source say anything. @default 'always' */
  readonly defaultLoading?: Loading;
  /** Globs of tools that are always loaded, whatever else is said. @default [] */
  readonly alwaysLoaded?: readonly string[];
  /** How tools are shown to models. @default 'auto' */
  readonly exposure?: ExposureOption | ExposureOptions;
  readonly search?: FinderOptions;
  readonly activation?: ActivationOptions;
  /** How examples are shown. @default on, 3 a tool, with descriptions */
  readonly examples?: Partial<ExampleOptions>;
  readonly visibility?: {
    /** Milliseconds a visibility policy may take before everything is hidden. @default 500 */
    readonly deadlineMs?: number;
  };
  readonly calls?: RunnerOptions;
  readonly catalog?: Omit<CatalogOptions, 'defaultLoading' | 'alwaysLoaded'>;
  /** Counts tokens, for `auto` and for token limits. @default an estimate by length */
  readonly countTokens?: TokenCounter;
  /** Replaces the search engine. @default the one in memory */
  readonly index?: ToolIndex;
}
