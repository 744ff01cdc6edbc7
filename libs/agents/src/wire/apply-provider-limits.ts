import { providerFault } from '@tool-search/core/adapter';
import { truncated, type LeftOutTool } from '@tool-search/core/internal';
import type { ProviderLimits } from './provider-limits.js';
import type { WireTool } from './wire-toolbox.js';

export interface ToolToFit extends WireTool {
  readonly isActive: boolean;
  /** Whether it is listed because a search found it; the newest ones come last. */
  readonly isFound: boolean;
}

/**
 * Selects the tools that a provider accepts in one request: legal tools, unique names, and at most its maximum number.
 * If there are too many, the meta tools stay, then active tools, then the newest found ones, then the first of the
 * others.
 *
 * @param own names of the caller's own tools in the same request
 * @returns also the tools left out, with reasons, and how many of them are above the maximum number
 */
export function applyProviderLimits(
  meta: readonly WireTool[],
  tools: readonly ToolToFit[],
  own: readonly string[],
  limits: ProviderLimits,
) {
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
  const cut = isLong ? `${truncated(description, descriptionChars - 1)}…` : description;
  return { name, description: cut, inputSchema, isDeferred, ...(definition && { definition }) };
}
