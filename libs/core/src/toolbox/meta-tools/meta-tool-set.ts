import { isObject, type JsonObject } from '../../json/json.js';
import type { MetaKind, MetaNames } from '../../tool/meta-names.js';
import type { ToolNaming } from '../../tool/tool-name.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { DeferringMode, ExposureMode, MetaTool } from '../surface/surface.js';
import type { AnsweringSpec, MetaDialect, MetaToolSpec, WrappedCall } from './meta-tool-spec.js';

/** The meta tools of an application, and their names and words in each mode. */
export class MetaToolSet {
  /** Of all modes. These names are reserved, also where there are no meta tools. */
  readonly byName: ReadonlyMap<string, MetaToolSpec>;
  // Every call asks for them.
  readonly #names = new Map<ExposureMode, Partial<MetaNames>>();

  constructor(
    private readonly dialect: MetaDialect,
    modes: readonly DeferringMode[],
    /** Everything is always listed, so there are no meta tools for finding tools. */
    private readonly isOff: boolean,
    /** Listed only while there are results to read on. @default none, because no result is shortened */
    readonly result?: AnsweringSpec,
  ) {
    const specs = [...modes.flatMap((mode) => dialect.specs(mode)), ...(result ? [result] : [])];
    this.byName = new Map(specs.map((spec) => [spec.tool.name, spec]));
  }

  /** Names and kinds of the meta tools of all modes. */
  get kinds(): ReadonlyMap<string, MetaKind> {
    return new Map([...this.byName].map(([name, { kind }]) => [name, kind]));
  }

  find(name: string): MetaToolSpec | undefined {
    return this.isOff && name !== this.result?.tool.name ? undefined : this.byName.get(name);
  }

  /**
   * The meta tool that answers a call of a name. It may answer differently in another mode, and one that exists only in
   * another mode is still answered.
   */
  answering(name: string, mode: ExposureMode): AnsweringSpec | undefined {
    const spec = this.#specs(mode).find(({ tool }) => tool.name === name) ?? this.find(name);
    return spec?.kind === 'call' ? undefined : spec;
  }

  /** @param language in which the tools are described, by its name; undefined if it is not clear */
  tools(mode: ExposureMode, language?: string): readonly MetaTool[] {
    return this.#specs(mode).map((spec) => {
      return language !== undefined && spec.kind !== 'call' ? (spec.inLanguage?.(language) ?? spec.tool) : spec.tool;
    });
  }

  /** Names of the meta tools that a model has in a mode. */
  names(mode: ExposureMode): Partial<MetaNames> {
    let names = this.#names.get(mode);
    if (!names) {
      const specs = [...this.#specs(mode), ...(this.result ? [this.result] : [])];
      this.#names.set(mode, (names = Object.fromEntries(specs.map(({ kind, tool }) => [kind, tool.name]))));
    }
    return names;
  }

  /** How a model reads on in a held result: with the meta tool, or through the bridge where it is never listed. */
  readOn(mode: ExposureMode, args: JsonObject): string {
    const name = this.result?.tool.name ?? '';
    const bridge = this.#specs(mode).find((spec) => spec.kind === 'call');
    if (bridge?.kind !== 'call') return `${name} ${JSON.stringify(args)}`;
    return `${bridge.tool.name} ${JSON.stringify(bridge.wrap(name, args))}`;
  }

  /**
   * The call inside a call of the bridge; the call itself where it is no such call. Spans, records and decisions are about
   * the tool inside.
   *
   * @throws ToolSearchError `INVALID_ARGUMENTS`
   */
  unwrapped<T extends WrappedCall & { readonly options: { readonly naming?: ToolNaming } }>(call: T): T {
    const { name, input, options } = call;
    const spec = this.find(name);
    if (spec?.kind !== 'call') return call;
    const inside = spec.unwrap(metaArguments(spec, input));
    const canonical = options.naming ? options.naming.canonical(inside.name) : inside.name;
    if (this.find(canonical)?.kind !== 'call') return { ...call, name: canonical, input: inside.input };
    throw new ToolSearchError('INVALID_ARGUMENTS', `${name} cannot call itself.`, {
      hint: 'Name the tool that is to be called, with its own arguments.',
    });
  }

  #specs(mode: ExposureMode): readonly MetaToolSpec[] {
    return this.isOff || mode === 'all' ? [] : this.dialect.specs(mode);
  }
}

/** @throws ToolSearchError `INVALID_ARGUMENTS` */
export function metaArguments({ kind }: MetaToolSpec, input: unknown): Record<string, unknown> {
  if (isObject(input)) return input;
  throw new ToolSearchError('INVALID_ARGUMENTS', 'The arguments must be a JSON object.', {
    hint: ({ [kind]: name }) => name && `Follow the input schema of ${name}.`,
  });
}
