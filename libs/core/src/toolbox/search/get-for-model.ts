import type { GetReply } from '../meta-tools/replies.js';
import type { DescribedTool } from './described-tool.js';

/** A definition as `tool_get` returns it to a model: empty lists are left out, and how the tool is loaded. */
export type ModelDefinition = Omit<DescribedTool, 'tags' | 'authScopes' | 'loading'> &
  Partial<Pick<DescribedTool, 'tags' | 'authScopes'>>;

/** A reply of `get` as a model receives it. */
export interface ModelGetReply {
  readonly tools: readonly ModelDefinition[];
  /** Hidden and unknown names; only where there are any. */
  readonly unavailable?: readonly string[];
}

/** Reduces a reply to the fields that a model needs, because every later request of the conversation repeats them. */
export function getForModel({ tools, unavailable }: GetReply): ModelGetReply {
  return {
    tools: tools.map(({ tags, authScopes, loading: _loading, ...tool }) => ({
      ...tool,
      ...(tags.length > 0 && { tags }),
      ...(authScopes.length > 0 && { authScopes }),
    })),
    ...(unavailable.length > 0 && { unavailable }),
  };
}
