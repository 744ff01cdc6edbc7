import { type Deprecation, deprecationNote } from '../../tool/deprecation.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { NamedUse } from './call-types.js';
import type { DecisionServices } from './decide.js';

type Use = Pick<NamedUse, 'request' | 'caller' | 'options'>;

/** A sentence about a deprecated tool. It names the successor only if the caller sees it. @throws ToolSearchError `GATE_CLOSED` */
export async function noteOf(deprecation: Deprecation, { name }: ToolDefinition, use: Use): Promise<string> {
  return deprecationNote(shownName(name, use), deprecation, await shownSuccessor(deprecation, use));
}

/** The error about a tool after its sunset. @throws ToolSearchError `GATE_CLOSED` */
export async function retiredError(
  tool: ToolDefinition,
  use: Use,
  { gate }: Pick<DecisionServices, 'gate'>,
): Promise<ToolSearchError> {
  const deprecation = gate.lifecycle().deprecations.of(tool) ?? {};
  const successor = await shownSuccessor(deprecation, use);
  return new ToolSearchError('TOOL_RETIRED', `This tool stopped on ${deprecation.sunset}.`, {
    hint:
      successor === undefined
        ? ({ search }) => search && `Use ${search} to find another tool.`
        : `Use ${successor} instead.`,
  });
}

async function shownSuccessor({ successor }: Deprecation, use: Use): Promise<string | undefined> {
  if (successor === undefined) return undefined;
  const [found] = (await use.request.find(use.caller, [successor], 'search')).found;
  return found && shownName(found.name, use);
}

/** The caller's own name for a tool. */
function shownName(name: string, { options }: Use): string {
  return options.naming ? options.naming.shown(name) : name;
}
