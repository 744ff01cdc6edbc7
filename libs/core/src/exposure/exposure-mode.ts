import { isObject } from '../json/json.js';
import type { DefinitionTokens } from '../tool/token-count.js';
import type { ToolDefinition } from '../tool/tool-definition.js';
import { ToolSearchError } from '../tool/tool-search.error.js';
import { withDefaults } from '../options/options.js';
import {
  DEFERRALS,
  type DeferringMode,
  EXPOSURE_OPTIONS,
  type ExposureChoice,
  type ExposureMode,
  type ExposureOption,
  type ExposureReason,
  type ExposureRule,
  exposureRule,
  type SettledExposure,
} from '../toolbox/surface/surface.js';

export interface AskedExposure {
  readonly mode: ExposureMode | 'auto';
  readonly by: ExposureReason['by'];
  readonly deferral: DeferringMode;
  readonly thresholdPct: number;
  readonly contextWindow: number;
}

export const DEFAULT_EXPOSURE: AskedExposure = { ...withDefaults(exposureRule), mode: 'auto', by: 'default' };

/** The mode that an option names. @param deferral the mode for `'on'` */
export function exposureMode(option: ExposureOption, deferral: DeferringMode = 'deferred'): ExposureMode | 'auto' {
  if (option === true) return 'auto';
  if (option === false || option === 'off') return 'all';
  return option === 'on' ? deferral : option;
}

/** Merges the settings of a more specific level into those of the levels before it. */
export function askedExposure(
  before: AskedExposure,
  choice: ExposureChoice | undefined,
  by: ExposureReason['by'],
): AskedExposure {
  if (choice === undefined) return before;
  const { mode, deferral = before.deferral, ...measures } = ruleOf(choice);
  const { thresholdPct = before.thresholdPct, contextWindow = before.contextWindow } = measures;
  const named = mode === undefined ? before : { mode: exposureMode(mode, deferral), by };
  return { mode: named.mode, by: named.by, deferral, thresholdPct, contextWindow };
}

/**
 * Resolves `auto`: all tools are listed while the deferrable tools cost less than `thresholdPct` percent of the model's
 * context window. Tools that are always loaded cost the same either way and do not count.
 *
 * @param canDefer whether the caller's provider can defer tools
 */
export function settledExposure(
  asked: AskedExposure,
  visible: readonly ToolDefinition[],
  tokens: DefinitionTokens,
  canDefer: boolean,
): SettledExposure {
  const { mode, by, contextWindow } = asked;
  if (mode !== 'auto') {
    const shown = possible(mode, canDefer);
    const instead = shown === mode ? '' : '; the provider defers nothing, so tools are listed when they are found';
    return { mode: shown, reason: { asked: mode, by, text: `asked for by the ${by}${instead}` } };
  }
  const deferrableTokens = tokens.deferrable(visible);
  const thresholdTokens = (contextWindow * asked.thresholdPct) / 100;
  const isOver = deferrableTokens >= thresholdTokens;
  const measured = { deferrableTokens, thresholdTokens, contextWindow, tokenizer: tokens.tokenizer };
  const text = `tools that could be held back have ${deferrableTokens} tokens, ${isOver ? 'not less' : 'less'} than the threshold of ${thresholdTokens}`;
  return { mode: isOver ? possible(asked.deferral, canDefer) : 'all', reason: { asked: 'auto', by, text, measured } };
}

function possible(mode: ExposureMode, canDefer: boolean): ExposureMode {
  return mode === 'native' && !canDefer ? 'deferred' : mode;
}

/** @throws ToolSearchError `INVALID_REQUEST` */
function ruleOf(choice: ExposureChoice): ExposureRule {
  if (!isObject(choice as unknown)) return { mode: checkedOption(choice as ExposureOption) };
  const rule = choice as ExposureRule;
  if (rule.mode !== undefined) checkedOption(rule.mode);
  const { deferral, thresholdPct, contextWindow } = rule;
  if (deferral !== undefined && !DEFERRALS.includes(deferral))
    throw invalid(`deferral must be ${DEFERRALS.join(', ')}.`);
  if (thresholdPct !== undefined && !(thresholdPct > 0 && thresholdPct <= 100)) {
    throw invalid('thresholdPct must be a number over 0, at most 100.');
  }
  if (contextWindow !== undefined && !(contextWindow > 0)) throw invalid('contextWindow must be a number over 0.');
  return rule;
}

function checkedOption(option: ExposureOption): ExposureOption {
  if (!EXPOSURE_OPTIONS.includes(option)) throw invalid(`A mode must be one of ${EXPOSURE_OPTIONS.join(', ')}.`);
  return option;
}

function invalid(message: string): ToolSearchError {
  return new ToolSearchError('INVALID_REQUEST', message, { hint: 'Leave it out to have what the module says.' });
}
