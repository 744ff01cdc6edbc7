import type { ToolResult } from '@tool-search/core';
import type { AgentToolbox } from './agent-toolbox.js';

const NONE: ReadonlySet<string> = new Set();

/**
 * A toolbox that records which tools each answer names. The form of an answer depends on the dialect, but every name in
 * it is translated to the caller's names, so the names are recorded there.
 */
export class MentionedTools {
  /** Use this in place of the toolbox. */
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

  /** Tool names in an answer, as the caller knows them, in the answer's order. */
  namedIn(result: ToolResult): ReadonlySet<string> {
    return this.#named.get(result) ?? NONE;
  }
}
