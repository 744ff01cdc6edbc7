import type { Toolbox } from '@tool-search/core';
import { wireName } from '@tool-search/core/adapter';
import { ANY_PROVIDER_LIMITS } from '../wire/provider-limits.js';
import { metaNamesOf, NUMBER_CHARS, ownWireName } from '../wire/wire-names.js';

/** A tool as `toolSearch()` of the AI SDK describes it to its `search` callback. */
export interface NamedTool {
  readonly name: string;
  readonly description?: string;
}

/** The tools of a generation, by whose they are. Hidden tools and meta tools are in neither part. */
export interface NamedTools {
  /** The toolbox's: from a canonical name to the names in the generation. */
  readonly ofToolbox: ReadonlyMap<string, readonly string[]>;
  readonly others: readonly NamedTool[];
  /** Whether the generation has every tool that the caller sees. */
  readonly hasAllVisible: boolean;
}

/** Says whose the tools of a generation are. @throws ToolSearchError `GATE_CLOSED`, `STORE_UNAVAILABLE` */
export async function namedTools(toolbox: Toolbox, tools: readonly NamedTool[]): Promise<NamedTools> {
  const visible = await toolbox.visible();
  const canonical = new Map<string, string>();
  for (const tool of visible) {
    for (const form of formsOf(tool.name, ownWireName(tool, NAME_CHARS))) canonical.set(form, tool.name);
  }
  for (const { name, aliases } of visible) {
    for (const form of aliases.flatMap((alias) => formsOf(alias))) if (!canonical.has(form)) canonical.set(form, name);
  }
  // Hidden tools matter only where a name is no visible tool's.
  const isKnown = tools.every(({ name }) => canonical.has(name));
  const hidden = new Set(isKnown ? [] : (await toolbox.hiddenNames()).flatMap((name) => formsOf(name)));
  const meta = new Set(metaNamesOf(toolbox));

  const ofToolbox = new Map<string, string[]>();
  const others: NamedTool[] = [];
  for (const tool of tools) {
    const form = [tool.name, tool.name.replace(NUMBER, '')].find((each) => canonical.has(each) || hidden.has(each));
    const canonicalName = form === undefined ? undefined : canonical.get(form);
    if (canonicalName !== undefined) ofToolbox.set(canonicalName, [...(ofToolbox.get(canonicalName) ?? []), tool.name]);
    else if (form === undefined && !meta.has(tool.name)) others.push(tool);
  }
  return { ofToolbox, others, hasAllVisible: ofToolbox.size === visible.length };
}

const NAME_CHARS = ANY_PROVIDER_LIMITS.nameChars;
/** The end of a name whose beginning another tool has too: `name_2`. */
const NUMBER = /_\d+$/;

/** The forms in which a generation may have a canonical name or alias: as it is, and as adapters show it. */
function formsOf(name: string, wire = wireName(name, NAME_CHARS)): readonly string[] {
  const room = NAME_CHARS - NUMBER_CHARS;
  return wire.length > room ? [name, wire, wireName(name, room)] : [name, wire];
}
