import type { ToolResult } from '@tool-search/core';
import { type JSONSchema7, jsonSchema, type Tool, type ToolExecutionOptions, type ToolSet } from 'ai';
import type { HeldBack } from './held-back.js';
import { checkOwnNames } from '../wire/own-names.js';
import type { ModelOutput } from './model-output.js';
import type { WireNames } from '../wire/wire-names.js';
import type { WireTool } from '../wire/wire-toolbox.js';

/** What a model is told about a tool. */
export interface Described {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
}

/** How tools of the toolbox are called and what becomes of their results. */
export interface ToolCaller {
  call(name: string, input: unknown, options: { callId: string; signal?: AbortSignal }): Promise<ToolResult>;
  toModelOutput(answer: { readonly toolCallId: string; readonly output: ToolResult }): Promise<ModelOutput>;
}

/** The caller's own tools and the toolbox's in one object, every name used once and never given to another tool. */
export class ToolRegistry {
  readonly tools: ToolSet;
  readonly #own: ReadonlySet<string>;
  readonly #registered = new Map<string, string>();

  /** @throws ToolSearchError `INVALID_CONFIGURATION` when an own tool is named like a meta tool */
  constructor(
    private readonly caller: ToolCaller,
    private readonly names: WireNames,
    own: ToolSet,
    metaNames: readonly string[],
  ) {
    this.tools = { ...own };
    this.#own = new Set(Object.keys(own));
    checkOwnNames(this.#own, metaNames);
    // Described when they are listed; but who copies the tools has to have them.
    for (const name of metaNames) this.#add({ name, description: '', inputSchema: {} });
  }

  /** Whether the caller brought this tool. */
  isOwn(name: string): boolean {
    return this.#own.has(name);
  }

  /** Names of the caller's tools that are active; `undefined` means all of them. */
  ownNames(active: readonly string[] | undefined): readonly string[] {
    return active === undefined ? [...this.#own] : active.filter((name) => this.#own.has(name));
  }

  /** Registers tools by their canonical names. */
  addTools(tools: Iterable<Described>): void {
    for (const { name, description, inputSchema } of tools) {
      this.#add({ name: this.names.shown(name), description, inputSchema });
    }
  }

  /**
   * Registers what a step lists and returns its names in the order in which the model should see them.
   *
   * @param held what the provider is to hold back, and how it is told so
   * @throws ToolSearchError `INVALID_CONFIGURATION` when an own tool is named like one of the meta tools
   */
  list(tools: readonly WireTool[], held: Pick<HeldBack, 'names' | 'options'>): readonly string[] {
    checkOwnNames(
      this.#own,
      tools.flatMap(({ name, definition }) => (definition ? [] : [name])),
    );
    for (const tool of tools) {
      this.#add(tool);
      Object.assign(this.tools[tool.name] as Tool, {
        providerOptions: held.names.has(tool.name) ? held.options : undefined,
      });
    }
    return tools.map(({ name }) => name);
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
    if (!Object.hasOwn(this.tools, name) && CALLABLE.test(name)) this.#add({ name, description: '', inputSchema: {} });
    return Object.hasOwn(this.tools, name) ? this.tools[name] : undefined;
  }

  // A definition may change in the middle of a run.
  #add({ name, description, inputSchema }: Described): void {
    const schema = schemaOf(inputSchema);
    const known = this.tools[name];
    if (this.#registered.get(name) === description && known?.inputSchema === schema) return;
    this.#registered.set(name, description);
    const tool = toolOf(this.caller, name, description, schema);
    // Callers may have copied the object with the tools, but not the tools.
    this.tools[name] = known ? Object.assign(known, tool) : tool;
  }
}

// A legal tool name; one with a leading underscore could reach a prototype.
const CALLABLE = /^[A-Za-z0-9][\w.-]{0,127}$/;

type Schema = ReturnType<typeof jsonSchema>;

// Definitions are shared by all requests, and so is what can be said about them without a toolbox.
const schemas = new WeakMap<object, Schema>();

function schemaOf(inputSchema: object): Schema {
  let schema = schemas.get(inputSchema);
  // Without a validator of the SDK's own: the toolbox validates, for every adapter alike.
  if (!schema) schemas.set(inputSchema, (schema = jsonSchema(inputSchema as JSONSchema7)));
  return schema;
}

function toolOf(caller: ToolCaller, name: string, description: string, inputSchema: Schema): Tool {
  return {
    type: 'dynamic',
    description,
    inputSchema,
    execute: (input: unknown, { toolCallId, abortSignal }: ToolExecutionOptions<unknown>) =>
      caller.call(name, input, { callId: toolCallId, ...(abortSignal && { signal: abortSignal }) }),
    toModelOutput: (answer: { toolCallId: string; output: ToolResult }) => caller.toModelOutput(answer),
  };
}
