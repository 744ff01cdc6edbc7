import type { ToolDefinition } from '@tool-search/core';
import { wireName } from '@tool-search/core/adapter';
import { readCallName } from '@tool-search/core/internal';

/** Names of a caller's tools in lists, in both directions. */
export interface ToolNames {
  readonly shown: ReadonlyMap<string, string>;
  readonly canonical: ReadonlyMap<string, string>;
}

const withPrefix = new WeakMap<readonly ToolDefinition[], ToolNames>();
const withoutPrefix = new WeakMap<readonly ToolDefinition[], ToolNames>();

/**
 * Names under which tools are listed: those that every provider accepts, for clients pass them on. Without the prefix
 * a tool has its own name, where that is legal, no meta tool's, and belongs to one visible tool only.
 *
 * @param visible all visible tools, listed or not: the same array until something changes, so its names are kept
 */
export function toolNames(
  visible: readonly ToolDefinition[],
  prefix: boolean,
  metaKinds: ReadonlyMap<string, unknown>,
): ToolNames {
  const known = prefix ? withPrefix : withoutPrefix;
  let names = known.get(visible);
  if (!names) {
    const wire = new Map(visible.map(({ name }) => [name, wireName(name)]));
    const shown = prefix ? wire : ownNames(visible, wire, metaKinds);
    names = { shown, canonical: new Map([...shown].map(([canonical, name]) => [name, canonical])) };
    known.set(visible, names);
  }
  return names;
}

function ownNames(
  tools: readonly ToolDefinition[],
  wireNames: ReadonlyMap<string, string>,
  metaKinds: ReadonlyMap<string, unknown>,
): ReadonlyMap<string, string> {
  const calls = [...metaKinds].filter(([, kind]) => kind === 'call');
  const reserved = new Set([...metaKinds.keys(), ...calls.map(([name]) => readCallName(name))]);
  const own = tools.map(({ name, namespace }) => name.slice(namespace === '' ? 0 : namespace.length + 1));
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
