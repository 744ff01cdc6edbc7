import type { Caller } from '../../access/tool-gate.js';
import { isObject, type JsonObject } from '../../json/json.js';
import type { ToolNaming } from '../../tool/tool-name.js';
import type { ToolFailure, ToolResult } from '../../tool/tool-result.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import { toOutput } from '../../tool/tool-source.js';
import { type MetaNames, spokenText } from './meta-names.js';
import type {
  AnsweringSpec,
  MetaDialect,
  MetaKind,
  MetaToolSpec,
  ToolboxActions,
  WrappedCall,
} from './meta-tool-spec.js';
import { withNaming } from './with-naming.js';
import type { CallOptions, ToolRunner } from '../calls/tool-runner.js';
import type { ResultReading } from '../results/result-reading.js';
import type { FoundTools } from '../search/found-tools.js';
import type { ToolboxSearch } from '../search/toolbox-search.js';
import type { StepLedger, DeferringMode, ExposureMode, MetaTool } from '../surface/surface.js';

export class MetaTools {
  /** Of all modes. These names are reserved, also where there are no meta tools. */
  readonly byName: ReadonlyMap<string, MetaToolSpec>;

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

  specs(mode: ExposureMode): readonly MetaToolSpec[] {
    return this.isOff || mode === 'all' ? [] : this.dialect.specs(mode);
  }

  find(name: string): MetaToolSpec | undefined {
    return this.isOff && name !== this.result?.tool.name ? undefined : this.byName.get(name);
  }
}

export interface MetaParts {
  readonly metaTools: MetaTools;
  readonly runner: ToolRunner;
  readonly ledger: StepLedger;
}

/** The meta tools of one toolbox, and a model's calls of them. */
export class MetaCalls {
  constructor(
    private readonly parts: MetaParts,
    private readonly searches: ToolboxSearch,
    private readonly found: FoundTools,
    private readonly reading: ResultReading,
  ) {}

  tools(mode: ExposureMode): readonly MetaTool[] {
    return this.parts.metaTools.specs(mode).map(({ tool }) => tool);
  }

  names(mode: ExposureMode): Partial<MetaNames> {
    const { metaTools } = this.parts;
    const specs = [...metaTools.specs(mode), ...(metaTools.result ? [metaTools.result] : [])];
    return Object.fromEntries(specs.map(({ kind, tool }) => [kind, tool.name]));
  }

  /** How a model reads on in a held result: with the meta tool, or through the bridge where it is never listed. */
  readOn(mode: ExposureMode, args: JsonObject): string {
    const { metaTools } = this.parts;
    const name = metaTools.result?.tool.name ?? '';
    const bridge = metaTools.specs(mode).find((spec) => spec.kind === 'call');
    if (bridge?.kind !== 'call') return `${name} ${JSON.stringify(args)}`;
    return `${bridge.tool.name} ${JSON.stringify(bridge.wrap(name, args))}`;
  }

  spoken({ hint = '', ...failure }: ToolFailure, mode: ExposureMode): ToolFailure {
    const words = spokenText(hint, this.names(mode));
    return { ...failure, ...(words !== '' && { hint: words }) };
  }

  get kinds(): ReadonlyMap<string, MetaKind> {
    return new Map([...this.parts.metaTools.byName].map(([name, { kind }]) => [name, kind]));
  }

  has(name: string): boolean {
    return this.parts.metaTools.find(name) !== undefined;
  }

  /**
   * The call wrapped in a bridge call, or undefined for any other call. Reports, traces and decisions are about the
   * wrapped tool.
   *
   * @throws ToolSearchError `INVALID_ARGUMENTS`
   */
  unwrapped(name: string, input: unknown, naming?: ToolNaming): WrappedCall | undefined {
    const spec = this.parts.metaTools.find(name);
    if (spec?.kind !== 'call') return undefined;
    const { name: said, input: wrapped } = spec.unwrap(checkedInput(name, input));
    const meant = naming ? naming.meant(said) : said;
    if (this.parts.metaTools.find(meant)?.kind !== 'call') return { name: meant, input: wrapped };
    throw new ToolSearchError('INVALID_ARGUMENTS', `${name} cannot call itself.`, {
      hint: 'Name the tool that is to be called, with its own arguments.',
    });
  }

  /** @throws ToolSearchError for invalid arguments, and the errors of the meta tool's operation */
  async call(
    name: string,
    input: unknown,
    { context }: Caller,
    mode: ExposureMode,
    { naming, offerTokens }: Pick<CallOptions, 'naming' | 'offerTokens'> = {},
  ): Promise<ToolResult> {
    // A meta tool may answer differently in another mode. One that exists only in another mode is still answered.
    const ofMode = this.parts.metaTools.specs(mode);
    const spec = ofMode.find(({ tool }) => tool.name === name) ?? this.parts.metaTools.find(name);
    if (!spec || spec.kind === 'call') throw new Error(`${name} is no meta tool that answers by itself`);
    const receipts: string[] = [];
    const plain = this.#actions(this.names(mode), receipts, offerTokens);
    const answer = await spec.answer(checkedInput(name, input), naming ? withNaming(plain, naming) : plain);
    this.parts.ledger.answered({ context, kind: spec.kind, input, answer });
    const result = this.parts.runner.answer(toOutput(answer));
    return receipts.length === 0 ? result : { ...result, receipt: receipts.join(' ') };
  }

  // Replies in the words of this mode. Receipts belong at the end of the result, not in its text.
  #actions(names: Partial<MetaNames>, receipts: string[], offerTokens?: number): ToolboxActions {
    const taken = <T extends { readonly receipt?: string }>({ receipt, ...reply }: T): Omit<T, 'receipt'> => {
      if (receipt !== undefined) receipts.push(receipt);
      return reply;
    };
    return {
      search: async (request, line) => {
        const { notice, hint, ...reply } = taken(await this.searches.search(request, line, offerTokens));
        return {
          ...reply,
          ...(notice !== undefined && { notice: spokenText(notice, names) }),
          ...(hint !== undefined && { hint: spokenText(hint, names) }),
        };
      },
      get: (wanted, options) => this.reading.definitions(wanted, options, this.found),
      activate: async (wanted) => taken(await this.found.activate(wanted)),
      loadable: () => this.found.loadable(),
      read: (input) => this.reading.read(input),
    };
  }
}

function checkedInput(name: string, input: unknown): Record<string, unknown> {
  if (isObject(input)) return input;
  throw new ToolSearchError('INVALID_ARGUMENTS', 'The arguments must be a JSON object.', {
    hint: `Follow the input schema of ${name}.`,
  });
}
