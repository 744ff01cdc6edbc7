import type { JsonObject } from '../../json/json.js';
import type { ToolExecutor } from '../../tool/tool-source.js';
import { boundedArguments, validated } from './check-arguments.js';

/**
 * The arguments that the application names for work of its own, read once, when they are first needed: every check sees the
 * same JSON, and so does the person who approves it, whatever becomes of the application's object.
 */
export class WorkArguments {
  #given: JsonObject | undefined;
  readonly #fitting = new WeakSet<ToolExecutor>();

  /** @param input undefined or null where the application names none */
  constructor(private readonly input: unknown) {}

  /** Within the bounds of every call; undefined if there are none. @throws ToolSearchError `INVALID_ARGUMENTS`, `ARGUMENTS_TOO_LARGE` */
  get json(): JsonObject | undefined {
    if (this.input === undefined || this.input === null) return undefined;
    return (this.#given ??= boundedArguments(this.input));
  }

  /** {@link json}, checked against the tool's schema. @throws ToolSearchError as {@link json}, also if they do not fit */
  async fitting(executor: ToolExecutor): Promise<JsonObject | undefined> {
    const given = this.json;
    if (given && !this.#fitting.has(executor)) {
      await validated(executor, given);
      this.#fitting.add(executor);
    }
    return given;
  }
}
