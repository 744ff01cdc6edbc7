import type { Caller } from '../../access/tool-gate.js';
import { isObject } from '../../json/json.js';
import type { ToolNaming } from '../../tool/tool-naming.js';
import type { ToolFailure, ToolResult } from '../../tool/tool-result.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import { toOutput } from '../../tool/tool-source.js';
import { type MetaNames, spokenText } from './meta-names.js';
import type { MetaKind, MetaToolSpec, ToolboxActions, WrappedCall } from './meta-tool-spec.js';
import { withNaming } from './with-naming.js';
import { withReceipts } from './with-receipts.js';
import type { ExposureMode, MetaTool } from '../surface/surface.js';
import type { ToolboxServices } from '../toolbox-services.js';

const NONE: ReadonlyMap<string, MetaToolSpec> = new Map();

/** The meta tools of one toolbox, and a model's calls of them. */
export class MetaCalls {
  constructor(
    private readonly services: ToolboxServices,
    private readonly doors: ToolboxActions,
  ) {}

  /** The meta tools listed in a mode. */
  tools(mode: ExposureMode): readonly MetaTool[] {
    return mode === 'all' ? [] : this.services.dialect.specs(mode).map(({ tool }) => tool);
  }

  /** Meta tool names in a mode; kinds that the mode does not have are absent. */
  names(mode: ExposureMode): Partial<MetaNames> {
    if (mode === 'all' || this.services.exposure.configured === 'all') return {};
    return Object.fromEntries(this.services.dialect.specs(mode).map(({ kind, tool }) => [kind, tool.name]));
  }

  /** Adapts a failure's hint to the meta tools that the model has in this mode. */
  spoken({ hint = '', ...failure }: ToolFailure, mode: ExposureMode): ToolFailure {
    const words = spokenText(hint, this.names(mode));
    return { ...failure, ...(words !== '' && { hint: words }) };
  }

  /** The names of the meta tools of all modes, with their kinds. */
  get kinds(): ReadonlyMap<string, MetaKind> {
    return new Map([...this.services.metaTools].map(([name, { kind }]) => [name, kind]));
  }

  has(name: string): boolean {
    return this.#all.has(name);
  }

  /**
   * The call wrapped in a bridge call, or undefined for any other call. Reports, traces and decisions are about the
   * wrapped tool.
   *
   * @throws ToolSearchError `INVALID_ARGUMENTS`
   */
  unwrapped(name: string, input: unknown, naming?: ToolNaming): WrappedCall | undefined {
    const spec = this.#all.get(name);
    if (spec?.kind !== 'call') return undefined;
    const { name: said, input: wrapped } = spec.unwrap(checkedInput(name, input));
    const meant = naming ? naming.meant(said) : said;
    if (this.#all.get(meant)?.kind !== 'call') return { name: meant, input: wrapped };
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
    naming?: ToolNaming,
  ): Promise<ToolResult> {
    // A meta tool may answer differently in another mode. One that exists only in another mode is still answered.
    const ofMode = mode === 'all' ? [] : this.services.dialect.specs(mode);
    const spec = ofMode.find(({ tool }) => tool.name === name) ?? this.#all.get(name);
    if (!spec || spec.kind === 'call') throw new Error(`${name} is no meta tool that answers by itself`);
    const receipts: string[] = [];
    const plain = withReceipts(this.#spokenDoors(this.names(mode)), (receipt) => void receipts.push(receipt));
    const answer = await spec.answer(checkedInput(name, input), naming ? withNaming(plain, naming) : plain);
    this.services.ledger.answered({ context, kind: spec.kind, input, answer });
    const result = this.services.runner.answer(toOutput(answer));
    return receipts.length === 0 ? result : { ...result, receipt: receipts.join(' ') };
  }

  #spokenDoors(names: Partial<MetaNames>): ToolboxActions {
    const { doors } = this;
    return {
      search: async (request, line) => {
        const { notice, hint, ...reply } = await doors.search(request, line);
        return {
          ...reply,
          ...(notice !== undefined && { notice: spokenText(notice, names) }),
          ...(hint !== undefined && { hint: spokenText(hint, names) }),
        };
      },
      get: (wanted, options) => doors.get(wanted, options),
      activate: (wanted) => doors.activate(wanted),
      loadable: () => doors.loadable(),
    };
  }

  // With exposure `all` everything is always listed, so there are no meta tools.
  get #all(): ReadonlyMap<string, MetaToolSpec> {
    return this.services.exposure.configured === 'all' ? NONE : this.services.metaTools;
  }
}

function checkedInput(name: string, input: unknown): Record<string, unknown> {
  if (isObject(input)) return input;
  throw new ToolSearchError('INVALID_ARGUMENTS', 'The arguments must be a JSON object.', {
    hint: `Follow the input schema of ${name}.`,
  });
}
