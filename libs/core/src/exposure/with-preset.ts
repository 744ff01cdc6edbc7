import { isObject } from '../json/json.js';
import { exposureOptions, type ToolboxOptions } from './assemble-toolbox-services.js';
import { metaNames, PRESETS } from './presets/presets.js';

/**
 * The options with what their preset sets where they say nothing: option by option, also within an option. A list is
 * replaced as a whole. Without a preset they are as they were.
 */
export function withPreset<T extends ToolboxOptions>(options: T): T {
  if (options.preset === undefined) return options;
  const own = { ...options, ...(options.exposure !== undefined && { exposure: exposureOptions(options.exposure) }) };
  return merged(PRESETS[options.preset].options, own) as T;
}

/** Names that no tool of the catalog may have, because the meta tools have them. @throws ToolSearchError `INVALID_CONFIGURATION` */
export function takenNames({ preset, exposure }: ToolboxOptions): readonly string[] {
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
