import type { DeprecationSet } from '../../access/deprecations/deprecation-set.js';
import type { Deprecation } from '../../tool/deprecation.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { ToolView } from '../tool-views.js';
import { withSuccessorsFirst } from './preferred-successors.js';
import type { Found, FoundHit } from './tool-finder.js';

/** Texts about deprecated tools for one caller: a successor that it does not see is not named. */
export class ShownLifecycle {
  constructor(
    private readonly deprecations: DeprecationSet,
    private readonly view: ToolView,
    private readonly tenantId: string,
  ) {}

  of(tool: ToolDefinition): Deprecation | undefined {
    const deprecation = this.deprecations.of(tool);
    if (!deprecation) return undefined;
    const { since, sunset } = deprecation;
    const successor = this.#successor(tool);
    return {
      ...(since !== undefined && { since }),
      ...(successor && { successor: successor.name }),
      ...(sunset !== undefined && { sunset }),
    };
  }

  /** The definition with what the caller may read; the same object for a tool that is not deprecated. */
  on(tool: ToolDefinition): ToolDefinition {
    const deprecated = this.of(tool);
    return deprecated ? { ...tool, deprecated } : tool;
  }

  successorsFirst({ hits, request }: Pick<Found, 'hits' | 'request'>): readonly FoundHit[] {
    const { namespace, maxHits, includeAlwaysLoaded, loading = 'deferred' } = request;
    const successorOf = (deprecated: ToolDefinition) => {
      const tool = this.#successor(deprecated);
      const id = tool && this.view.snapshot.idOf(tool.name, this.tenantId);
      if (!tool || id === undefined) return undefined;
      const isSearched =
        (namespace === undefined || tool.namespace === namespace) && (includeAlwaysLoaded || tool.loading === loading);
      return { id, tool, isSearched };
    };
    return withSuccessorsFirst(hits, successorOf, maxHits);
  }

  #successor(tool: ToolDefinition): ToolDefinition | undefined {
    const successor = this.deprecations.of(tool)?.successor;
    return successor === undefined ? undefined : this.view.find(successor, this.tenantId);
  }
}
