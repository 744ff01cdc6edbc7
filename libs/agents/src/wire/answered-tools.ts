import type { ToolResult } from '@tool-search/core';
import type { AgentToolbox } from './agent-toolbox.js';

const NONE: ReadonlySet<string> = new Set();

/**
 * A toolbox that remembers which tools each answer names. What a meta tool answers is in the words of its dialect; but
 * whichever they are, every name in it has been put into the caller's terms, so that is where names are read off.
 */
export class AnsweredTools {
  /** To be called in place of the toolbox. */
  readonly toolbox: AgentToolbox;
  readonly #named = new WeakMap<ToolResult, ReadonlySet<string>>();

  constructor(toolbox: AgentToolbox) {
    const { metaKinds } = toolbox;
    this.toolbox = {
      ...(metaKinds && { metaKinds }),
      reportLeftOut: async (provider, tools) => toolbox.reportLeftOut?.(provider, tools),
      visible: () => toolbox.visible(),
      surface: (request) => toolbox.surface(request),
      call: async (name, input, options) => {
        const naming = options?.naming;
        if (!naming) return toolbox.call(name, input, options);
        const named = new Set<string>();
        const shown = (canonical: string) => {
          const wire = naming.shown(canonical);
          named.add(wire);
          return wire;
        };
        const result = await toolbox.call(name, input, { ...options, naming: { ...naming, shown } });
        if (named.size > 0) this.#named.set(result, named);
        return result;
      },
    };
  }

  /** Names that an answer holds, in the caller's terms and in its order. */
  namedIn(result: ToolResult): ReadonlySet<string> {
    return this.#named.get(result) ?? NONE;
  }
}
