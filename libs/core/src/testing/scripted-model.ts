import type { JsonSchema } from '../json/json.js';
import { wireName } from '../tool/tool-name.js';
import { resultText } from '../tool/tool-result.js';
import type { SurfaceRequest } from '../toolbox/surface/surface.js';
import type { Toolbox } from '../toolbox/toolbox.js';

/** What a model has before it at one step. */
export interface ShownTurn {
  /** Tools that the model may call now, under the names it knows them by. */
  readonly tools: readonly { readonly name: string; readonly description: string; readonly inputSchema: JsonSchema }[];
  /** All instructions. */
  readonly instructions: string;
  /** What the calls of the step before came to, in their order. */
  readonly results: readonly { readonly name: string; readonly text: string }[];
}

/** One call, in the terms of what is shown. */
export interface SaidCall {
  readonly name: string;
  readonly arguments: unknown;
}

/** What a model says: calls of tools, or its last words. */
export type SaidTurn = { readonly calls: readonly SaidCall[] } | { readonly text: string };

/** A call of a tool by its canonical name. */
export interface ScriptedCall {
  readonly kind: 'call';
  readonly tool: string;
  readonly arguments: unknown;
  /** Called even where it is not listed. */
  readonly isBlind: boolean;
}

/** Decides by what is shown; what it gives is done in its place. */
export type ScriptedDecision = (turn: ShownTurn) => ScriptedStep | readonly ScriptedStep[];

/** One thing that a scripted model does. */
export type ScriptedStep =
  | ScriptedDecision
  | ScriptedCall
  | { readonly kind: 'search'; readonly words: string }
  | { readonly kind: 'parallel'; readonly calls: readonly ScriptedCall[] }
  | { readonly kind: 'answer'; readonly text: string };

/** The steps of a {@link ScriptedModel}, in canonical terms. */
export const say = {
  /** Searches; left out where there is no search, because everything is listed. */
  search: (words: string): ScriptedStep => ({ kind: 'search', words }),
  /** Calls a tool: directly if it is listed, else through the bridge, else after a search for its name. */
  call: (tool: string, args: unknown = {}): ScriptedCall => ({ kind: 'call', tool, arguments: args, isBlind: false }),
  /** Calls a tool directly, listed or not, as a model does that remembers or invents a name. */
  blindly: (tool: string, args: unknown = {}): ScriptedCall => ({ kind: 'call', tool, arguments: args, isBlind: true }),
  /** Calls several tools in one step. */
  parallel: (...calls: readonly ScriptedCall[]): ScriptedStep => ({ kind: 'parallel', calls }),
  /** The last words; what follows is never done. */
  answer: (text: string): ScriptedStep => ({ kind: 'answer', text }),
} as const;

/** How a scripted model talks to meta tools. */
export interface ScriptedDialect {
  /** @default `tool_search` with `query` */
  readonly search: (words: string) => SaidCall;
  /** @default `tool_load` with `names` */
  readonly load: (tool: string) => SaidCall;
  /** The bridge. @default `tool_call` with `name` and `arguments` */
  readonly call: (tool: string, args: unknown) => SaidCall;
}

/** Options of {@link ScriptedModel}. */
export interface ScriptedModelOptions {
  /** For meta tools that are called otherwise, or take other arguments. @default the library's own */
  readonly dialect?: Partial<ScriptedDialect>;
  /** Names a tool may be shown by. @default its canonical name and its wire names */
  readonly namesOf?: (tool: string) => readonly string[];
}

const OWN_DIALECT: ScriptedDialect = {
  search: (words) => ({ name: 'tool_search', arguments: { query: words } }),
  load: (tool) => ({ name: 'tool_load', arguments: { names: [tool] } }),
  call: (tool, args) => ({ name: 'tool_call', arguments: { name: tool, arguments: args } }),
};

/** More steps than any script has: a model that goes in circles is a fault of the test. */
const MAX_STEPS = 100;

/**
 * A model without a model, for tests: it plays a script in canonical terms and decides by what it is shown, so that one
 * script runs in every exposure mode, through any adapter or none. Holds its place in the script: one model, one conversation.
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
  /** Tools that were searched for or loaded already, so that a tool that stays away is called all the same. */
  readonly #searched = new Set<string>();
  readonly #loaded = new Set<string>();
  #isDirect = false;

  constructor(steps: readonly ScriptedStep[], options: ScriptedModelOptions = {}) {
    this.#steps = [...steps];
    this.#dialect = { ...OWN_DIALECT, ...options.dialect };
    this.#namesOf = options.namesOf ?? ((tool) => [tool, wireName(tool), wireName(tool, 128)]);
  }

  /** What the model says to what it is shown; `done` when the script has ended. */
  readonly reply = (turn: ShownTurn): SaidTurn => {
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
   * Plays the script on a toolbox without any adapter: lists, speaks, calls, until the model answers.
   *
   * @returns the answer, what was shown at each step, and what all calls came to
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
      const said = this.reply(turn);
      if ('text' in said) return { answer: said.text, turns, results: past };
      results = await Promise.all(
        said.calls.map(async ({ name, arguments: args }) => ({
          name,
          text: resultText(await toolbox.call(name, args)),
        })),
      );
      past.push(...results);
    }
    throw new Error(`the script did not end within ${MAX_STEPS} steps`);
  }

  /** What is to be called now; nothing where the step is to be left out. Takes the step off when it is done with this. */
  #callsFor(step: Exclude<ScriptedStep, ScriptedDecision>, turn: ShownTurn): SaidCall[] {
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
    return wanted.map((call) => this.#said(call, listed));
  }

  /** What has to be called before a tool can be, or undefined. */
  #preparation({ tool, isBlind }: ScriptedCall, listed: ReadonlySet<string>): SaidCall | undefined {
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

  #said({ tool, arguments: args, isBlind }: ScriptedCall, listed: ReadonlySet<string>): SaidCall {
    const name = this.#shownName(tool, listed);
    if (name !== undefined) return { name, arguments: args };
    const bridge = this.#dialect.call(this.#unlistedName(tool), args);
    return !isBlind && listed.has(bridge.name) ? bridge : { name: this.#unlistedName(tool), arguments: args };
  }

  #shownName(tool: string, listed: ReadonlySet<string>): string | undefined {
    return this.#namesOf(tool).find((name) => listed.has(name));
  }

  // Without an adapter there are canonical names alone; through one, a name that every provider accepts.
  #unlistedName(tool: string): string {
    if (this.#isDirect) return tool;
    return this.#namesOf(tool).find((name) => /^[A-Za-z0-9_-]{1,64}$/.test(name)) ?? tool;
  }
}

/** A tool's own name as words: what a model knows when it knows nothing else. */
function wordsOf(tool: string): string {
  return tool.replace(/([a-z])([A-Z])/g, '$1 $2').replaceAll(/[._-]+/g, ' ');
}
