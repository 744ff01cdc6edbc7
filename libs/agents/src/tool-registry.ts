import {
  META_TOOL_NAMES,
  type Surface,
  type Toolbox,
  type ToolResult,
  ToolSearchError,
  wireName,
} from '@tool-search/core';
import { type JSONSchema7, jsonSchema, type Tool, type ToolExecutionOptions, type ToolSet } from 'ai';
import type { AgentToolbox } from './agent-toolbox.js';
import { type ModelOutput, modelOutput } from './model-output.js';

/** What a model is told about a tool. */
export interface Described {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
}

/** The caller's own tools and the toolbox's in one object, every name used once and never given to another tool. */
export class ToolRegistry {
  readonly tools: ToolSet;
  readonly #own: ReadonlySet<string>;
  readonly #wire = new Map<string, string>();
  readonly #taken = new Set<string>();
  readonly #registered = new Map<string, Described>();

  /** @throws ToolSearchError `INVALID_CONFIGURATION` when an own tool is named like a meta tool */
  constructor(
    private readonly toolbox: Pick<AgentToolbox, 'call' | 'metaKinds'>,
    own: ToolSet,
  ) {
    this.tools = { ...own };
    this.#own = new Set(Object.keys(own));
    const names = toolbox.metaKinds?.keys() ?? META_TOOL_NAMES;
    const clash = [...names].find((name) => this.#own.has(name));
    if (clash !== undefined) {
      throw new ToolSearchError('INVALID_CONFIGURATION', `One of your own tools is named ${clash}, like a meta tool.`, {
        hint: 'Give it another name.',
      });
    }
  }

  /** Whether the caller brought this tool. */
  isOwn(name: string): boolean {
    return this.#own.has(name);
  }

  /** Names of the caller's tools that are active; `undefined` means all of them. */
  ownNames(active: readonly string[] | undefined): readonly string[] {
    return active === undefined ? [...this.#own] : active.filter((name) => this.#own.has(name));
  }

  /** Registers tools under their wire names. */
  addTools(tools: Iterable<Described>): void {
    for (const tool of tools) this.#add(tool, this.#wireNameOf(tool));
  }

  /** Registers what a surface lists and returns its names in the order in which the model should see them. */
  list(surface: Surface): readonly string[] {
    for (const tool of surface.meta) this.#add(tool, tool.name);
    for (const tool of surface.tools) this.#add(tool, this.#wireNameOf(tool.definition));
    return [
      ...surface.meta.map(({ name }) => name),
      ...surface.tools.map(({ definition }) => this.#wireNameOf(definition)),
    ];
  }

  /** Whether the SDK would list these names in this order by itself. */
  isOrdered(names: readonly string[]): boolean {
    const active = new Set(names);
    return Object.keys(this.tools)
      .filter((name) => active.has(name))
      .every((name, index) => name === names[index]);
  }

  /**
   * The registered tool of this name. A name that nobody has is registered, too: the toolbox decides about every call, so
   * a tool that is hidden and one that never was are refused alike.
   */
  toolNamed(name: string): Tool | undefined {
    if (!Object.hasOwn(this.tools, name) && CALLABLE.test(name)) {
      this.#add({ name, description: '', inputSchema: {} }, name);
    }
    return Object.hasOwn(this.tools, name) ? this.tools[name] : undefined;
  }

  // A definition may change in the middle of a run.
  #add(tool: Described, wire: string): void {
    const before = this.#registered.get(wire);
    if (before?.description === tool.description && before.inputSchema === tool.inputSchema) return;
    this.#registered.set(wire, tool);
    this.tools[wire] = toolOf(this.toolbox, tool);
  }

  #wireNameOf(tool: Described): string {
    const known = this.#wire.get(tool.name);
    if (known !== undefined) return known;
    let wire = wireNames.get(tool);
    if (wire === undefined) wireNames.set(tool, (wire = wireName(tool.name)));
    for (let n = 2; this.#own.has(wire) || this.#taken.has(wire); n++) wire = `${wireName(tool.name, 60)}_${n}`;
    this.#wire.set(tool.name, wire);
    this.#taken.add(wire);
    return wire;
  }
}

// A legal tool name; one with a leading underscore could reach a prototype.
const CALLABLE = /^[A-Za-z0-9][\w.-]{0,127}$/;

// Definitions are shared by all requests, and so is what can be said about them without a toolbox.
const wireNames = new WeakMap<Described, string>();
const schemas = new WeakMap<object, ReturnType<typeof jsonSchema>>();

function toolOf(toolbox: Pick<Toolbox, 'call'>, { name, description, inputSchema }: Described): Tool {
  let schema = schemas.get(inputSchema);
  // Without a validator of the SDK's own: the toolbox validates, for every adapter alike.
  if (!schema) schemas.set(inputSchema, (schema = jsonSchema(inputSchema as JSONSchema7)));
  return {
    type: 'dynamic',
    description,
    inputSchema: schema,
    execute: (input: unknown, { toolCallId, abortSignal }: ToolExecutionOptions<unknown>) =>
      toolbox.call(name, input, { callId: toolCallId, ...(abortSignal && { signal: abortSignal }) }),
    toModelOutput,
  };
}

function toModelOutput({ output }: { readonly output: ToolResult }): ModelOutput {
  return modelOutput(output);
}
