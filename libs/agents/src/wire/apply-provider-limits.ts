import { type LeftOutTool, providerFault } from '@tool-search/core';
import type { ProviderLimits } from './provider-limits.js';
import type { WireTool } from './wire-toolbox.js';

/** A tool to list, with the properties that decide whether it stays when there are too many. */
export interface ToolToFit extends WireTool {
  /** Whether the run or session has activated it. */
  readonly isActive: boolean;
  /** Whether it is listed because a search found it; the newest ones come last. */
  readonly isFound: boolean;
}

/** The tools of one request. */
export interface FittingTools {
  /** In the given order. */
  readonly tools: readonly WireTool[];
  /** Tools that the provider would have refused. */
  readonly leftOut: readonly LeftOutTool[];
  /** Number of tools above the provider's limit. */
  readonly overCount: number;
}

/**
 * Selects the tools that a provider accepts in one request: legal tools, unique names, and at most its maximum number.
 * If there are too many, the meta tools stay, then active tools, then the newest found ones, then the first of the
 * others.
 *
 * @param own names of the caller's own tools in the same request
 */
export function applyProviderLimits(
  meta: readonly WireTool[],
  tools: readonly ToolToFit[],
  own: readonly string[],
  limits: ProviderLimits,
): FittingTools {
  const leftOut: LeftOutTool[] = [];
  const taken = new Map(own.map((name) => [name, "one of the caller's own tools"]));
  const fits = (tool: WireTool): boolean => {
    const canonical = tool.definition?.name ?? tool.name;
    const other = taken.get(tool.name);
    const fault = other === undefined ? toolFault(tool, limits) : `${tool.name} is the name of ${other}`;
    if (fault !== undefined) leftOut.push({ tool: canonical, reason: fault });
    else taken.set(tool.name, canonical);
    return fault === undefined;
  };
  const reason = `${limits.provider} takes ${limits.tools} tools in a request`;
  const legalMeta = meta.filter(fits);
  const listedMeta = legalMeta.slice(0, Math.max(0, limits.tools - own.length));
  for (const { name } of legalMeta.slice(listedMeta.length)) leftOut.push({ tool: name, reason });
  const legal = tools.filter(fits);
  const room = Math.max(0, limits.tools - own.length - listedMeta.length);
  const stays = legal.length <= room ? undefined : new Set(byNeed(legal).slice(0, room));
  const listed = stays ? legal.filter((tool) => stays.has(tool)) : legal;
  if (stays) {
    for (const tool of legal) if (!stays.has(tool)) leftOut.push({ tool: tool.definition?.name ?? tool.name, reason });
  }
  return {
    tools: [...listedMeta, ...listed].map((tool) => within(tool, limits)),
    leftOut,
    overCount: legal.length - listed.length,
  };
}

const LEGAL_NAME = /^[A-Za-z0-9_-]+$/;

/** The reason why a provider would refuse a tool, or undefined. */
function toolFault({ name, inputSchema }: WireTool, { provider, nameChars }: ProviderLimits): string | undefined {
  if (name.length > nameChars) return `its name has ${name.length} characters, and ${provider} takes ${nameChars}`;
  if (!LEGAL_NAME.test(name)) return 'its name has other characters than letters, digits, "_" and "-"';
  let fault = schemaFaults.get(inputSchema);
  if (fault === undefined) schemaFaults.set(inputSchema, (fault = providerFault(inputSchema) ?? ''));
  return fault === '' ? undefined : `its input schema ${fault}`;
}

// Cached, because requests share definitions; `''` means no fault.
const schemaFaults = new WeakMap<object, string>();

function byNeed(tools: readonly ToolToFit[]): readonly ToolToFit[] {
  const active = tools.filter(({ isActive }) => isActive);
  const others = tools.filter(({ isActive }) => !isActive);
  const found = others.filter(({ isFound }) => isFound).toReversed();
  return [...active, ...found, ...others.filter(({ isFound }) => !isFound)];
}

function within(tool: WireTool, { descriptionChars = Infinity }: ProviderLimits): WireTool {
  const { name, description, inputSchema, isDeferred, definition } = tool;
  const isLong = description.length > descriptionChars;
  // Do not cut a surrogate pair in half.
  const cut = isLong ? `${description.slice(0, descriptionChars - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : description;
  return { name, description: cut, inputSchema, isDeferred, ...(definition && { definition }) };
}
