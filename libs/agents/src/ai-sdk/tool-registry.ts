import type { ToolResult } from '@tool-search/core';
import {
  jsonSchema,
  type JSONSchema7,
  type ModelMessage,
  type Tool,
  type ToolExecutionOptions,
  type ToolSet,
} from 'ai';
import { checkOwnNames, type WireNames } from '../wire/wire-names.js';
import type { ModelOutput } from './model-output.js';
import type { WireTool } from '../wire/wire-toolbox.js';

export interface Deferral {
  readonly messages: ModelMessage[];
  readonly names: ReadonlySet<string>;
  readonly references: ReadonlySet<string>;
  readonly options: NonNullable<Tool['providerOptions']>;
}

export interface Described {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
}

export interface ToolCaller {
  call(name: string, input: unknown, options: { callId: string; signal?: AbortSignal }): Promise<ToolResult>;
  toModelOutput(answer: { readonly toolCallId: string; readonly output: ToolResult }): Promise<ModelOutput>;
}

/** The caller's own tools and the toolbox's in one object. A name belongs to one tool and is never given to another. */
export class ToolRegistry {
  readonly tools: ToolSet;
  readonly #own: ReadonlySet<string>;
  readonly #registered = new Map<string, string>();

  /** @throws ToolSearchError `INVALID_CONFIGURATION` when one of the caller's own tools is named like a meta tool */
  constructor(
    private readonly caller: ToolCaller,
    private readonly names: WireNames,
    own: ToolSet,
    metaNames: readonly string[],
  ) {
    this.tools = { ...own };
    this.#own = new Set(Object.keys(own));
    checkOwnNames(this.#own, metaNames);
    // Their descriptions follow when they are listed, but callers who copy the tools need them now.
    for (const name of metaNames) this.#add({ name, description: '', inputSchema: {} });
  }

  isOwn(name: string): boolean {
    return this.#own.has(name);
  }

  /** Names of the active tools of the caller; `undefined` means all of them. */
  ownNames(active: readonly string[] | undefined): readonly string[] {
    return active === undefined ? [...this.#own] : active.filter((name) => this.#own.has(name));
  }

  addTools(tools: Iterable<Described>): void {
    for (const { name, description, inputSchema } of tools) {
      this.#add({ name: this.names.shown(name), description, inputSchema });
    }
  }

  /**
   * Registers a step's tools and returns their names in listing order.
   *
   * @param deferral the tools that the provider defers, and the options for that
   * @throws ToolSearchError `INVALID_CONFIGURATION` when one of the caller's own tools is named like a meta tool
   */
  list(tools: readonly WireTool[], deferral: Pick<Deferral, 'names' | 'options'>): readonly string[] {
    checkOwnNames(
      this.#own,
      tools.flatMap(({ name, definition }) => (definition ? [] : [name])),
    );
    for (const tool of tools) {
      this.#add(tool);
      Object.assign(this.tools[tool.name] as Tool, {
        providerOptions: deferral.names.has(tool.name) ? deferral.options : undefined,
      });
    }
    return tools.map(({ name }) => name);
  }

  /** Whether the SDK lists these names in this order by default. */
  isOrdered(names: readonly string[]): boolean {
    const active = new Set(names);
    return Object.keys(this.tools)
      .filter((name) => active.has(name))
      .every((name, index) => name === names[index]);
  }

  /** The tool of this name. Unknown names are registered too: the toolbox refuses hidden and nonexistent ones alike. */
  toolNamed(name: string): Tool | undefined {
    if (!Object.hasOwn(this.tools, name) && CALLABLE.test(name)) this.#add({ name, description: '', inputSchema: {} });
    return Object.hasOwn(this.tools, name) ? this.tools[name] : undefined;
  }

  // A definition may change during a run.
  #add({ name, description, inputSchema }: Described): void {
    const schema = schemaOf(inputSchema);
    const known = this.tools[name];
    if (this.#registered.get(name) === description && known?.inputSchema === schema) return;
    this.#registered.set(name, description);
    const tool = toolOf(this.caller, name, description, schema);
    // Callers may have copied the object that contains the tools, so update the tools in place.
    this.tools[name] = known ? Object.assign(known, tool) : tool;
  }
}

// A legal tool name; a name with leading underscores could reach a prototype.
const CALLABLE = /^[A-Za-z0-9][\w.-]{0,127}$/;

type Schema = ReturnType<typeof jsonSchema>;

// Requests share definitions, so their schemas are cached.
const schemas = new WeakMap<object, Schema>();

function schemaOf(inputSchema: object): Schema {
  let schema = schemas.get(inputSchema);
  // Without the SDK's validation: the toolbox validates, for all adapters.
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
