import type { ToolDefinition } from '../../tool/tool-definition.js';
import { isToolSearchError } from '../../tool/tool-search.error.js';
import type { ToolView } from '../tool-views.js';
import type { ToolboxServices } from '../toolbox-services.js';

const MAX_CHARS = 2000;

/** Visible tools that match the user's text, for hints; empty where there is no text or hints are off. */
export async function suggestedTools(
  { exposure, finder }: Pick<ToolboxServices, 'exposure' | 'finder'>,
  text: string | undefined,
  view: ToolView,
): Promise<readonly ToolDefinition[]> {
  const { topK, includeAlwaysLoaded, type } = exposure.hints;
  if (topK === 0 || text === undefined || text.trim() === '') return [];
  try {
    const { hits } = await finder.find(
      { query: text.slice(0, MAX_CHARS), type, limit: topK, includeAlwaysLoaded },
      view,
    );
    return hits.map(({ tool }) => tool);
  } catch (error) {
    // The user's text is not a valid query: return no hints instead of failing the turn.
    if (isToolSearchError(error)) return [];
    throw error;
  }
}
