import type { JsonSchema } from '../json/json.js';
import { wireName } from '../tool/tool-name.js';
import { resultText } from '../tool/tool-result.js';
import type { SurfaceRequest } from '../toolbox/surface/surface.js';
import type { Toolbox } from '../toolbox/toolbox.js';

/** The input of a model at one step. */
export interface ShownTurn {
  /** Tools that the model may call now, under the names shown to it. */
  readonly tools: readonly { readonly name: string; readonly description: string; readonly inputSchema: JsonSchema }[];
  /** All instructions. */
  readonly instructions: string;
  /** Results of the previous step's calls, in their order. */
  readonly results: readonly { readonly name: string; readonly text: string }[];
}

/** A call under the name that is shown. */
export interface ModelCall {
  readonly name: string;
  readonly arguments: unknown;
}

/** A model's reply: calls of tools, or its final text. */
export type ModelTurn = { readonly calls: readonly ModelCall[] } | { readonly text: string };

/** A call of a tool by its canonical name. */
export interface ScriptedCall {
  readonly kind: 'call';
  readonly tool: string;
  readonly arguments: unknown;
  /** Called even if it is not listed. */
  readonly isBlind: boolean;
}

/** Decides by the step's input; the returned steps replace it. */
export type ScriptedDecision = (turn: ShownTurn) => ScriptedStep | readonly ScriptedStep[];

/** One step of a scripted model. */
export type ScriptedStep =
  | ScriptedDecision
  | ScriptedCall
  | { readonly kind: 'search'; readonly words: string }
  | { readonly kind: 'parallel'; readonly calls: readonly ScriptedCall[] }
  | { readonly kind: 'answer'; readonly text: string };

/** The steps of a {@link ScriptedModel}, with canonical tool names. */
export const say = {
  /** Searches; skipped where there is no search because everything is listed. */
  search: (words: string): ScriptedStep => ({ kind: 'search', words }),
  /** Calls a tool: directly if it is listed, else through the bridge, else after a search for its name. */
  call: (tool: string, args: unknown = {}): ScriptedCall => ({ kind: 'call', tool, arguments: args, isBlind: false }),
  /** Calls a tool directly, listed or not, like a model that remembers or invents a name. */
  blindly: (tool: string, args: unknown = {}): ScriptedCall => ({ kind: 'call', tool, arguments: args, isBlind: true }),
  /** Calls several tools in one step. */
  parallel: (...calls: readonly ScriptedCall[]): ScriptedStep => ({ kind: 'parallel', calls }),
  /** The final text; later steps are never run. */
  answer: (text: string): ScriptedStep => ({ kind: 'answer', text }),
} as const;

/** How a scripted model calls meta tools. */
export interface ScriptedDialect {
  /** @default `tool_search` with `query` */
  readonly search: (words: string) => ModelCall;
  /** @default `tool_load` with `names` */
  readonly load: (tool: string) => ModelCall;
  /** The bridge call. @default `tool_call` with `name` and `arguments` */
  readonly call: (tool: string, args: unknown) => ModelCall;
}

/** Options of {@link ScriptedModel}. */
export interface ScriptedModelOptions {
  /** For meta tools with other names or arguments. @default the library's own */
  readonly dialect?: Partial<ScriptedDialect>;
  /** Names under which a tool may be shown. @default its canonical name and its wire names */
  readonly namesOf?: (tool: string) => readonly string[];
}

const OWN_DIALECT: ScriptedDialect = {
  search: (words) => ({ name: 'tool_search', arguments: { query: words } }),
  load: (tool) => ({ name: 'tool_load', arguments: { names: [tool] } }),
  call: (tool, args) => ({ name: 'tool_call', arguments: { name: tool, arguments: args } }),
};

/** More steps than any script has: a model in an endless loop is an error of the test. */
const MAX_STEPS = 100;

/**
 * A simulated model for tests: it plays a script with canonical tool names and decides by what it is shown, so that one
 * script runs in every exposure mode, with any adapter or none. It stores its position in the script: use one for one
 * conversation.
 *
 * ```ts
 * const model = new ScriptedModel([say.call('billing.refund', { invoice: 7 }), say.answer('Refunded.')]);
 * const { answer, results } = await model.converse(toolbox, { mode: 'bridge' });
 * ```
 */
export class ScriptedModel {
  readonly #steps: ScriptedStep[];
  readonly #dialect: ScriptedDialect;
  readonly #namesOf: (tool: string) => readonly string[];
  /** Tools already searched for or loaded: if they are still not listed, they are called anyway. */
  readonly #searched = new Set<string>();
  readonly #loaded = new Set<string>();
  #isDirect = false;

  constructor(steps: readonly ScriptedStep[], options: ScriptedModelOptions = {}) {
    this.#steps = [...steps];
    this.#dialect = { ...OWN_DIALECT, ...options.dialect };
    this.#namesOf = options.namesOf ?? ((tool) => [tool, wireName(tool), wireName(tool, 128)]);
  }

  /** The model's reply to a step's input; `done` when the script has ended. */
  readonly reply = (turn: ShownTurn): ModelTurn => {
    for (let next = this.#steps[0]; next !== undefined; next = this.#steps[0]) {
      if (typeof next === 'function') {
        this.#steps.splice(0, 1, ...[next(turn)].flat());
        continue;
      }
      if (next.kind === 'answer') return { text: next.text };
      const calls = this.#callsFor(next, turn);
      if (calls.length > 0) return { calls };
      this.#steps.shift();
    }
    return { text: 'done' };
  };

  /**
   * Plays the script on a toolbox without an adapter: lists tools, replies and runs calls until the model answers.
   *
   * @returns the answer, the input of each step, and the results of all calls
   */
  async converse(
    toolbox: Pick<Toolbox, 'surface' | 'call'>,
    request: SurfaceRequest = {},
  ): Promise<{
    readonly answer: string;
    readonly turns: readonly ShownTurn[];
    readonly results: readonly ShownTurn['results'][number][];
  }> {
    this.#isDirect = true;
    const turns: ShownTurn[] = [];
    const past: ShownTurn['results'][number][] = [];
    let results: ShownTurn['results'] = [];
    while (turns.length < MAX_STEPS) {
      const { meta, tools, prompt } = await toolbox.surface(request);
      const listed = [...meta, ...tools].map(({ name, description, inputSchema }) => ({
        name,
        description,
        inputSchema,
      }));
      const instructions = Object.values(prompt).join('\n\n');
      const turn: ShownTurn = { tools: listed, instructions, results };
      turns.push(turn);
      const reply = this.reply(turn);
      if ('text' in reply) return { answer: reply.text, turns, results: past };
      results = await Promise.all(
        reply.calls.map(async ({ name, arguments: args }) => ({
          name,
          text: resultText(await toolbox.call(name, args)),
        })),
      );
      past.push(...results);
    }
    throw new Error(`the script did not end within ${MAX_STEPS} steps`);
  }

  /** The calls to make now; empty where the step is skipped. Removes the step when these calls complete it. */
  #callsFor(step: Exclude<ScriptedStep, ScriptedDecision>, turn: ShownTurn): ModelCall[] {
    const listed = new Set(turn.tools.map(({ name }) => name));
    if (step.kind === 'answer') return [];
    if (step.kind === 'search') {
      const search = this.#dialect.search(step.words);
      if (!listed.has(search.name)) return [];
      this.#steps.shift();
      return [search];
    }
    const wanted = step.kind === 'call' ? [step] : step.calls;
    const found = wanted.map((call) => this.#preparation(call, listed)).filter((call) => call !== undefined);
    if (found.length > 0) return found;
    this.#steps.shift();
    return wanted.map((call) => this.#callOf(call, listed));
  }

  /** The call that is needed before the tool can be called, or undefined. */
  #preparation({ tool, isBlind }: ScriptedCall, listed: ReadonlySet<string>): ModelCall | undefined {
    if (isBlind || this.#shownName(tool, listed) !== undefined) return undefined;
    if (listed.has(this.#dialect.call(tool, {}).name)) return undefined;
    const search = this.#dialect.search(wordsOf(tool));
    if (listed.has(search.name) && !this.#searched.has(tool)) {
      this.#searched.add(tool);
      return search;
    }
    const load = this.#dialect.load(this.#unlistedName(tool));
    if (!listed.has(load.name) || this.#loaded.has(tool)) return undefined;
    this.#loaded.add(tool);
    return load;
  }

  #callOf({ tool, arguments: args, isBlind }: ScriptedCall, listed: ReadonlySet<string>): ModelCall {
    const name = this.#shownName(tool, listed);
    if (name !== undefined) return { name, arguments: args };
    const bridge = this.#dialect.call(this.#unlistedName(tool), args);
    return !isBlind && listed.has(bridge.name) ? bridge : { name: this.#unlistedName(tool), arguments: args };
  }

  #shownName(tool: string, listed: ReadonlySet<string>): string | undefined {
    return this.#namesOf(tool).find((name) => listed.has(name));
  }

  // Without an adapter only canonical names work; with one, a name that every provider accepts.
  #unlistedName(tool: string): string {
    if (this.#isDirect) return tool;
    return this.#namesOf(tool).find((name) => /^[A-Za-z0-9_-]{1,64}$/.test(name)) ?? tool;
  }
}

/** Splits a tool's name into words, to search for it. */
function wordsOf(tool: string): string {
  return tool.replace(/([a-z])([A-Z])/g, '$1 $2').replaceAll(/[._-]+/g, ' ');
}
