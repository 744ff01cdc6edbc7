import { type ToolDefinition, ToolSearchError } from '@tool-search/core';
import { wireName } from '@tool-search/core/adapter';
import { META_TOOL_NAMES, type ToolNaming } from '@tool-search/core/internal';
import type { AgentToolbox } from './agent-toolbox.js';

/** Characters that a name leaves for the number behind it. */
export const NUMBER_CHARS = 4;

/** Maps tools to names for one conversation, and back. A tool keeps its first name. */
export class WireNames implements ToolNaming {
  readonly #wire = new Map<string, string>();
  readonly #canonical = new Map<string, string>();

  /** @param taken names that no tool of the toolbox may get; it gets the next free one, `name_2` */
  constructor(
    private readonly nameChars: number,
    private readonly taken: ReadonlySet<string> = new Set(),
  ) {}

  readonly shown = (canonical: string): string =>
    this.#wire.get(canonical) ?? this.#given(canonical, wireName(canonical, this.nameChars));

  readonly canonical = (shown: string): string => this.#canonical.get(shown) ?? shown;

  of(tool: ToolDefinition): string {
    return this.#wire.get(tool.name) ?? this.#given(tool.name, ownWireName(tool, this.nameChars));
  }

  has(shown: string): boolean {
    return this.#canonical.has(shown);
  }

  #given(canonical: string, own: string): string {
    let wire = own;
    for (let n = 2; this.taken.has(wire) || this.#canonical.has(wire); n++) {
      wire = `${wireName(canonical, this.nameChars - NUMBER_CHARS)}_${n}`;
    }
    this.#wire.set(canonical, wire);
    this.#canonical.set(wire, canonical);
    return wire;
  }
}

// Cached by `nameChars`: requests share definitions, and each name needs a hash.
const ownWireNames = new WeakMap<ToolDefinition, Map<number, string>>();

/** The name that a tool has where no other tool has taken it. */
export function ownWireName(tool: ToolDefinition, nameChars: number): string {
  let names = ownWireNames.get(tool);
  if (!names) ownWireNames.set(tool, (names = new Map()));
  let wire = names.get(nameChars);
  if (wire === undefined) names.set(nameChars, (wire = wireName(tool.name, nameChars)));
  return wire;
}

export function metaNamesOf({ metaKinds }: Pick<AgentToolbox, 'metaKinds'>): readonly string[] {
  return metaKinds ? [...metaKinds.keys()] : META_TOOL_NAMES;
}

/** Refuses own tools with the name of a meta tool. @throws ToolSearchError `INVALID_CONFIGURATION` */
export function checkOwnNames(own: ReadonlySet<string>, meta: readonly string[]): void {
  const clash = meta.find((name) => own.has(name));
  if (clash === undefined) return;
  throw new ToolSearchError('INVALID_CONFIGURATION', `One of your own tools is named ${clash}, like a meta tool.`, {
    hint: 'Give it another name.',
  });
}
