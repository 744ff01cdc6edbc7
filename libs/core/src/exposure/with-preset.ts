import { isObject } from '../json/json.js';
import { exposureOptions, type ToolboxOptions } from './assemble-toolbox-services.js';
import { metaNames, PRESETS } from './presets/presets.js';

/**
 * Completes options with the defaults of their preset, option by option, also within nested options. A list replaces
 * the preset's list as a whole. Without a preset the options are unchanged.
 */
export function withPreset<T extends ToolboxOptions>(options: T): T {
  if (options.preset === undefined) return options;
  const own = { ...options, ...(options.exposure !== undefined && { exposure: exposureOptions(options.exposure) }) };
  return merged(PRESETS[options.preset].options, own) as T;
}

/**
 * Names of the meta tools, which no tool of the catalog may have.
 *
 * @throws ToolSearchError `INVALID_CONFIGURATION`
 */
export function reservedNames({ preset, exposure }: ToolboxOptions): readonly string[] {
  return Object.values(metaNames(preset, exposureOptions(exposure).metaTools));
}

function merged(defaults: object, own: object): Record<string, unknown> {
  const result: Record<string, unknown> = { ...defaults };
  for (const [key, value] of Object.entries(own) as [string, unknown][]) {
    const before = result[key];
    if (value !== undefined) result[key] = isObject(before) && isObject(value) ? merged(before, value) : value;
  }
  return result;
}
