import type { ExposureMode, SurfaceRequest } from '../toolbox/surface.js';
import type { DefinitionTokens } from '../tool/token-count.js';
import type { ToolDefinition } from '../tool/tool-definition.js';

/** How the module is told to show tools; `true` = `auto`, `false` and `'off'` = `all`, `'on'` = always deferred. */
export type ExposureOption = ExposureMode | 'auto' | 'on' | 'off' | boolean;

/** The mode an option names. */
export function exposureMode(option: ExposureOption): ExposureMode | 'auto' {
  if (option === true) return 'auto';
  if (option === false || option === 'off') return 'all';
  return option === 'on' ? 'deferred' : option;
}

/**
 * Settles `auto`: everything is listed while the tools that could be deferred cost less than `thresholdPct` percent of
 * the model's context window. Tools that are always loaded cost the same either way and do not count.
 */
export function settledMode(
  asked: ExposureMode | 'auto',
  visible: readonly ToolDefinition[],
  tokens: DefinitionTokens,
  rule: { readonly thresholdPct: number; readonly contextWindow: number },
): ExposureMode {
  if (asked !== 'auto') return asked;
  return tokens.deferrable(visible) >= (rule.contextWindow * rule.thresholdPct) / 100 ? 'deferred' : 'all';
}

/** The mode a request asks for, given what the module is configured to. */
export function askedMode(request: SurfaceRequest, configured: ExposureMode | 'auto'): ExposureMode | 'auto' {
  // Off means off: without an index nothing could be found, so a request cannot switch search on.
  return configured === 'all' ? 'all' : (request.mode ?? configured);
}
