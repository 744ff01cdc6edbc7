import type { BoundedReply } from '../results/definitions/bounded-definitions.js';
import type { DescribedTool } from './described-tool.js';

/** A definition as `tool_get` returns it to a model: empty lists are left out, and how the tool is loaded. */
export type ModelDefinition = Omit<DescribedTool, 'tags' | 'authScopes' | 'loading'> &
  Partial<Pick<DescribedTool, 'tags' | 'authScopes'>>;

/** A reply of `get` as a model receives it. */
export interface ModelGetReply {
  readonly tools: readonly ModelDefinition[];
  /** Hidden and unknown names; only where there are any. */
  readonly unavailable?: readonly string[];
  /** Which definitions are not whole, and how to read one in full; only where there are any. */
  readonly note?: string;
}

/**
 * Reduces a reply to the fields that a model needs, because every later request of the conversation repeats them.
 *
 * @param fullCall how a model reads one definition in full, in words
 */
export function getForModel({ tools, unavailable, summarized }: BoundedReply, fullCall: string): ModelGetReply {
  return {
    tools: tools.map(({ tags, authScopes, loading: _loading, ...tool }) => ({
      ...tool,
      ...(tags.length > 0 && { tags }),
      ...(authScopes.length > 0 && { authScopes }),
    })),
    ...(unavailable.length > 0 && { unavailable }),
    ...summarizedNote(summarized, fullCall),
  };
}

/** Returns a note about definitions that are not whole; empty if all are. */
export function summarizedNote(summarized: readonly string[], fullCall: string): { readonly note?: string } {
  if (summarized.length === 0) return {};
  return { note: `Summarized: ${summarized.join(', ')}. Read one in full with ${fullCall}.` };
}
