import type { ListedTool, Surface } from '@tool-search/core';

/** Names of listed tools, in both directions. */
export interface ToolNames {
  readonly shown: ReadonlyMap<string, string>;
  readonly meant: ReadonlyMap<string, string>;
}

const withPrefix = new WeakMap<Surface['wireNames'], ToolNames>();
const withoutPrefix = new WeakMap<Surface['wireNames'], ToolNames>();

/**
 * Names under which tools are listed: those that every provider accepts, for clients pass them on. Without the prefix
 * a tool has its own name, where that is legal and belongs to one listed tool only.
 */
export function toolNames({ tools, meta, wireNames }: Surface, prefix: boolean): ToolNames {
  const known = prefix ? withPrefix : withoutPrefix;
  let names = known.get(wireNames);
  if (!names) {
    const shown = prefix ? wireNames : ownNames(tools, wireNames, new Set(meta.map(({ name }) => name)));
    names = { shown, meant: new Map([...shown].map(([canonical, name]) => [name, canonical])) };
    known.set(wireNames, names);
  }
  return names;
}

function ownNames(
  tools: readonly ListedTool[],
  wireNames: ReadonlyMap<string, string>,
  reserved: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const own = tools.map(({ definition: { name, namespace } }) =>
    name.slice(namespace === '' ? 0 : namespace.length + 1),
  );
  const taken = new Map<string, number>();
  for (const name of [...own, ...wireNames.values()]) taken.set(name, (taken.get(name) ?? 0) + 1);
  return new Map(
    tools.map(({ name }, index) => {
      const short = own[index] ?? '';
      const wire = wireNames.get(name) ?? name;
      const uses = (taken.get(short) ?? 0) - (short === wire ? 1 : 0);
      return [name, /^[\w-]{1,64}$/.test(short) && uses === 1 && !reserved.has(short) ? short : wire];
    }),
  );
}
