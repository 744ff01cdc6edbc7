import { globTest } from '../../tool/tool-name.js';
import type { ResultSettings } from './result-options.js';

/** Bounds of a result for a model, in tokens. */
export interface ShorteningBounds {
  /** From which on it is shortened. */
  readonly maxTokens: number;
  /** Of the shortened result. */
  readonly shapedTokens: number;
}

/**
 * Returns the bounds of the results of a tool, or of all tools without a rule of their own; undefined for results that
 * are never shortened.
 */
export function shorteningRules(
  settings: ResultSettings | false,
): (tool?: { readonly name: string }) => ShorteningBounds | undefined {
  if (settings === false) return () => undefined;
  const rules = settings.perTool.map(({ tools, shorten = true, ...own }) => {
    const maxTokens = own.maxTokens ?? Math.max(settings.maxTokens, own.shapedTokens ?? 0);
    const shapedTokens = Math.min(maxTokens, own.shapedTokens ?? settings.shapedTokens);
    return { matches: globTest(tools), bounds: shorten ? { maxTokens, shapedTokens } : undefined };
  });
  return (tool) => {
    const rule = tool && rules.find(({ matches }) => matches(tool.name));
    return rule ? rule.bounds : settings;
  };
}
