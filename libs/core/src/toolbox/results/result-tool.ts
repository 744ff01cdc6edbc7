import { deepFreeze } from '../../json/json.js';
import { stableHash } from '../../json/stable-hash.js';
import { metaTool } from '../meta-tools/meta-arguments.js';
import type { AnsweringSpec } from '../meta-tools/meta-tool-spec.js';
import type { ListedTool } from '../surface/surface.js';

/** The meta tool that reads on in results that were shortened. The same in all dialects. */
export function resultTool(name: string): AnsweringSpec {
  return {
    kind: 'result',
    tool: metaTool(
      name,
      'Read on in a result that was shortened.',
      {
        handle: { type: 'string', description: 'From the note of the result.' },
        pointer: { type: 'string', description: 'JSON Pointer of the part: "/items/7".' },
        offset: { type: 'integer', minimum: 0, description: 'First item, key or character.' },
        limit: { type: 'integer', minimum: 1 },
        search: { type: 'string', description: 'Find this text instead.' },
      },
      ['handle'],
    ),
    answer: (input, doors) => doors.read(input),
  };
}

/**
 * The meta tool as a part of the tools in a list: it comes and goes during a run, and at the end of the list it leaves
 * the beginning of the prompt unchanged.
 */
export function listedResultTool({ tool }: AnsweringSpec): ListedTool {
  const { name, description, inputSchema } = tool;
  const shown = { name, description, inputSchema, loading: 'always' as const };
  const definition = {
    ...shown,
    namespace: '',
    tags: [],
    sideEffects: 'read' as const,
    examples: [],
    exampleQueries: [],
    aliases: [],
    authScopes: [],
    source: 'tool-search',
    owner: '',
    hash: stableHash(shown),
  };
  return deepFreeze({ ...shown, active: false, definition });
}
