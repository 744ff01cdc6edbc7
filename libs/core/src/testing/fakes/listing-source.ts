import { isObject, type JsonObject, type JsonSchema } from '../../json/json.js';
import type { ToolDeclaration } from '../../tool/tool-definition.js';
import { type LoadOptions, type SourceAnswer, toOutput, type ToolSource } from '../../tool/tool-source.js';

export interface Listing {
  readonly tools: readonly JsonObject[];
  readonly server?: JsonObject;
}

/** A source of a server's tools: it creates declarations from listings, either new or restored from storage. */
export class ListingSource implements ToolSource {
  description?: string;
  /** One entry per load: whether it had to be independent of earlier ones (`anew`). */
  readonly loads: boolean[] = [];
  listing: () => Listing | Promise<Listing>;
  #changed: (() => void) | undefined;

  constructor(
    readonly name: string,
    tools: readonly JsonObject[],
    readonly options: Pick<ToolSource, 'changes' | 'lazy' | 'owner' | 'limits' | 'loading' | 'loadTimeoutMs'> = {},
  ) {
    this.listing = () => ({ tools });
    Object.assign(this, { changes: 'strict', loading: 'deferred', ...options });
  }

  async load(_signal: AbortSignal, { anew = false }: LoadOptions = {}): Promise<readonly ToolDeclaration[]> {
    this.loads.push(anew);
    const { tools, server } = await this.listing();
    return this.restore(tools.map((tool) => ({ tool, ...(server && { server }) })));
  }

  restore(origins: readonly JsonObject[]): readonly ToolDeclaration[] {
    delete this.description;
    return origins.map((origin) => {
      const { tool, server } = origin;
      if (isObject(server) && typeof server['instructions'] === 'string') this.description = server['instructions'];
      return { ...declaredBy(tool as JsonObject), origin };
    });
  }

  watch(changed: () => void): () => void {
    this.#changed = changed;
    return () => (this.#changed = undefined);
  }

  reportChange(): void {
    this.#changed?.();
  }

  async call(name: string): Promise<SourceAnswer> {
    return toOutput(`ran ${name}`);
  }

  async close(): Promise<void> {
    this.#changed = undefined;
  }
}

function declaredBy({ name, title, description, inputSchema, outputSchema, annotations }: JsonObject): ToolDeclaration {
  return {
    name: name as string,
    description: description as string,
    ...(title !== undefined && { title: title as string }),
    ...(inputSchema !== undefined && { inputSchema: inputSchema as JsonSchema }),
    ...(outputSchema !== undefined && { outputSchema: outputSchema as JsonSchema }),
    ...(annotations !== undefined && { annotations: annotations as JsonObject }),
  };
}

/** A tool as a server lists it, with every kind of field that occurs in practice. */
export function listedTool(name: string, changes: JsonObject = {}): JsonObject {
  return {
    name,
    title: `Title of ${name}`,
    description: `Does what ${name} says.`,
    inputSchema: {
      type: 'object',
      properties: {
        id: { type: 'string', description: 'Which one.', minLength: 1, format: 'uuid' },
        order: { type: 'string', enum: ['newest', 'oldest'], default: 'newest' },
        limit: { type: ['integer', 'null'], minimum: 1, maximum: 100, default: null },
        filter: {
          anyOf: [
            { type: 'string', description: 'Words.' },
            { type: 'object', properties: { tags: { type: 'array', items: { type: 'string' }, examples: [['a']] } } },
          ],
        },
      },
      required: ['id'],
      additionalProperties: false,
    },
    outputSchema: { type: 'object', properties: { ok: { type: 'boolean', const: true } }, required: ['ok'] },
    annotations: { readOnlyHint: true, openWorldHint: false, title: `Hint of ${name}` },
    _meta: { 'com.example/version': 3, reviewed: null, tags: ['one', { two: 2.5 }] },
    execution: { taskSupport: 'forbidden' },
    icons: [{ src: 'https://example.com/icon.png', sizes: ['48x48'] }],
    'x-vendor': { flags: [true, false], note: '' },
    ...changes,
  };
}
