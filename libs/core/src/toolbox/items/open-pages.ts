import type { ToolView } from '../tool-views.js';

const views = new WeakMap<ToolView, WeakMap<ToolView, ToolView>>();

/** A view of context items without the pages of MCP Apps that no visible tool names: the same as long as both views are. */
export function withOpenPages(items: ToolView, tools: ToolView): ToolView {
  let known = views.get(items);
  if (!known) views.set(items, (known = new WeakMap()));
  let open = known.get(tools);
  if (!open) {
    const named = new Set(tools.tools().flatMap(({ app }) => app?.resourceUri ?? []));
    known.set(tools, (open = items.without(({ appPage, uri = '' }) => appPage !== undefined && !named.has(uri))));
  }
  return open;
}
