import {
  type ControlOptions,
  controlSchema,
  type ControlSettings,
  type ControlTuning,
} from '../access/control/control-plane.js';
import {
  type CatalogOptions,
  catalogSchema,
  type CatalogSettings,
  type CatalogTuning,
  type LoadingOptions,
  loadingOptions,
} from '../catalog/tool-catalog.js';
import { withDefaults } from '../options/options.js';

/** Settings of a `ControlPlane` that a test constructs itself: these options, and defaults for the others. */
export function controlSettings(options: ControlOptions & ControlTuning = {}): ControlSettings {
  return withDefaults(controlSchema, options);
}

/** Settings of a `ToolCatalog` that a test constructs itself: these options, and defaults for the others. */
export function catalogSettings(options: CatalogOptions & CatalogTuning & LoadingOptions = {}): CatalogSettings {
  return { ...withDefaults(catalogSchema, options), ...withDefaults(loadingOptions, options) };
}
