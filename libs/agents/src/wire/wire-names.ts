import { type ToolDefinition, type ToolNaming, wireName } from '@tool-search/core';

/** The names one conversation has for tools, and the way back. A tool keeps the name it was given first. */
export class WireNames implements ToolNaming {
  readonly #wire = new Map<string, string>();
  readonly #meant = new Map<string, string>();

  /** @param taken names of tools that are not the toolbox's; a tool of such a name gets the next free one, `name_2` */
  constructor(
    /** Characters of a name at most. */
    private readonly nameChars: number,
    private readonly taken: ReadonlySet<string> = new Set(),
  ) {}

  readonly shown = (canonical: string): string =>
    this.#wire.get(canonical) ?? this.#given(canonical, wireName(canonical, this.nameChars));

  readonly meant = (shown: string): string => this.#meant.get(shown) ?? shown;

  /** As {@link shown}, for a definition. */
  of(tool: ToolDefinition): string {
    return this.#wire.get(tool.name) ?? this.#given(tool.name, ownWireName(tool, this.nameChars));
  }

  /** Whether a tool was given this name. */
  has(shown: string): boolean {
    return this.#meant.has(shown);
  }

  #given(canonical: string, own: string): string {
    let wire = own;
    for (let n = 2; this.taken.has(wire) || this.#meant.has(wire); n++) {
      wire = `${wireName(canonical, this.nameChars - 4)}_${n}`;
    }
    this.#wire.set(canonical, wire);
    this.#meant.set(wire, canonical);
    return wire;
  }
}

// Definitions are shared by all requests, and a name costs a digest; by the characters a provider takes.
const ownWireNames = new WeakMap<ToolDefinition, Map<number, string>>();

function ownWireName(tool: ToolDefinition, nameChars: number): string {
  let names = ownWireNames.get(tool);
  if (!names) ownWireNames.set(tool, (names = new Map()));
  let wire = names.get(nameChars);
  if (wire === undefined) names.set(nameChars, (wire = wireName(tool.name, nameChars)));
  return wire;
}
