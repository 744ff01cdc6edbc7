import { ToolSearchError } from '../../tool/tool-search.error.js';
import { type MetaNames, OWN_META_NAMES } from '../../tool/meta-names.js';
import { isMetaName } from '../../toolbox/meta-tools/legal-meta-name.js';
import type { MetaDialect, MetaSettings } from '../../toolbox/meta-tools/meta-tool-spec.js';
import { ownDialect } from '../../toolbox/meta-tools/meta-tools.js';
import { MASTRA } from './mastra.js';
import { PENGUIFLOW } from './penguiflow.js';
import { PRAISONAI } from './praisonai.js';
import type { Preset } from './preset.js';

export const PRESET_NAMES = ['penguiflow', 'praisonai', 'mastra'] as const;

/** Systems whose tool search is available as a preset. */
export type PresetName = (typeof PRESET_NAMES)[number];

export const PRESETS: Readonly<Record<PresetName, Preset>> = {
  penguiflow: PENGUIFLOW,
  praisonai: PRAISONAI,
  mastra: MASTRA,
};

export function dialectOf(preset: PresetName | undefined, settings: MetaSettings): MetaDialect {
  return (preset ? PRESETS[preset].dialect : ownDialect)(settings);
}

/**
 * Names of the meta tools: those of the application, else of the preset, else our own.
 *
 * @throws ToolSearchError `INVALID_CONFIGURATION` for a name that a provider would refuse, or that two meta tools share
 */
export function metaNames(preset: PresetName | undefined, own: Partial<MetaNames> = {}): MetaNames {
  const given = Object.fromEntries(Object.entries(own).filter(([, name]) => name !== undefined));
  const names = { ...OWN_META_NAMES, ...(preset && PRESETS[preset].names), ...given };
  for (const [kind, name] of Object.entries(names)) {
    if (!isMetaName(name)) {
      throw new ToolSearchError('INVALID_CONFIGURATION', `exposure.metaTools.${kind} must be a name for a tool.`, {
        hint: 'Use a letter, then up to 63 of letters, digits, "_" and "-".',
      });
    }
  }
  const all = Object.values(names);
  const twice = all.find((name, index) => all.indexOf(name) < index);
  if (twice !== undefined) {
    throw new ToolSearchError('INVALID_CONFIGURATION', `exposure.metaTools: two meta tools are named ${twice}.`, {
      hint: `They are called ${all.join(', ')}, with what the preset sets; give each a name of its own.`,
    });
  }
  return names;
}
