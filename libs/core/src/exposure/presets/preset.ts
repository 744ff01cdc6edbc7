import type { ActivationOptions } from '../../activation/activation-options.js';
import type { LoadingOptions } from '../../catalog/tool-catalog.js';
import type { ExampleOptions } from '../../toolbox/search/described-tool.js';
import type { MetaNames } from '../../tool/meta-names.js';
import type { MetaDialect, MetaSettings } from '../../toolbox/meta-tools/meta-tool-spec.js';
import type { FinderOptions } from '../../toolbox/search/tool-finder.js';
import type { ExposureOptions } from '../prompt/prompt-exposure.js';

export interface PresetOptions extends LoadingOptions {
  readonly exposure: ExposureOptions;
  readonly search: FinderOptions;
  readonly activation: ActivationOptions;
  readonly examples?: Partial<ExampleOptions>;
}

/** The tool search of another system: its defaults, and its meta tools word for word. */
export interface Preset {
  readonly options: PresetOptions;
  /** Names of its meta tools; our own names for kinds that it does not have. */
  readonly names: MetaNames;
  readonly dialect: (settings: MetaSettings) => MetaDialect;
}
