import { isObject } from '../tool/json.js';
import type { ToolNaming } from '../tool/tool-naming.js';
import type { ToolResult } from '../tool/tool-result.js';
import { ToolSearchError } from '../tool/tool-search.error.js';
import { toOutput } from '../tool/tool-source.js';
import type { MetaToolSpec, ToolboxDoors, WrappedCall } from './meta-tool-spec.js';
import { namedDoors } from './named-doors.js';
import type { ExposureMode, MetaTool } from './surface.js';
import type { ToolboxServices } from './toolbox-services.js';

const NONE: ReadonlyMap<string, MetaToolSpec> = new Map();

/** The meta tools of one toolbox, and calls of them by a model. */
export class MetaCalls {
  constructor(
    private readonly services: ToolboxServices,
    private readonly doors: ToolboxDoors,
  ) {}

  /** What a model is given in a mode. */
  tools(mode: ExposureMode): readonly MetaTool[] {
    return mode === 'all' ? [] : this.services.dialect.specs(mode).map(({ tool }) => tool);
  }

  has(name: string): boolean {
    return this.#all.has(name);
  }

  /**
   * The call that a bridge wraps, or undefined if this is none. Whoever reports, traces or decides about calls does so
   * for the tool that is meant.
   *
   * @throws ToolSearchError `INVALID_ARGUMENTS`
   */
  unwrapped(name: string, input: unknown, naming?: ToolNaming): WrappedCall | undefined {
    const spec = this.#all.get(name);
    if (spec?.kind !== 'call') return undefined;
    const wrapped = spec.unwrap(checkedInput(name, input));
    return naming ? { ...wrapped, name: naming.meant(wrapped.name) } : wrapped;
  }

  /** @throws ToolSearchError for faulty arguments, and as what the meta tool does */
  async call(name: string, input: unknown, naming?: ToolNaming): Promise<ToolResult> {
    const spec = this.#all.get(name);
    if (!spec || spec.kind === 'call') throw new Error(`${name} is no meta tool that answers by itself`);
    const doors = naming ? namedDoors(this.doors, naming) : this.doors;
    const answer = await spec.answer(checkedInput(name, input), doors);
    return this.services.runner.answer(toOutput(answer));
  }

  // Off means off: where everything is always listed, there is nothing to search.
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
