import { ingest } from '../../catalog/ingest/ingest.js';
import { markOwnCode } from '../../catalog/ingest/own-code.js';
import type { ToolContext } from '../../tool/tool-context.js';
import type { Loading, ToolDeclaration } from '../../tool/tool-definition.js';
import { canonicalName, isLegalName } from '../../tool/tool-name.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { SourceAnswer, SourceLimits, ToolCall, ToolSource } from '../../tool/tool-source.js';
import type { CodeTool } from '../decorators/define-tool.js';
import { checkKeys } from '../module/known-keys.js';

/** Options of {@link CodeSource}. */
export interface CodeSourceOptions {
  /** Unique among the application's sources of one owner, 1 to 64 of letters, digits, `_`, `-` and `.`. */
  readonly name: string;
  /** Made by `defineTool`. */
  readonly tools: readonly CodeTool[];
  /** The tenant whose own source this is. @default a source that all tenants share */
  readonly owner?: string;
  /** Put before the name of every tool that names none itself. @default the source's name */
  readonly namespace?: string;
  /** What its tools are for as a whole: searched with each of them, never shown. @default none */
  readonly description?: string;
  /** Loading of tools that say nothing themselves. @default the module's `defaultLoading` */
  readonly loading?: Loading;
  /** Milliseconds one call may take. @default 30000 */
  readonly callTimeoutMs?: number;
  readonly limits?: SourceLimits;
}

const OPTIONS: readonly (keyof CodeSourceOptions)[] = [
  'name',
  'tools',
  'owner',
  'namespace',
  'description',
  'loading',
  'callTimeoutMs',
  'limits',
];

/**
 * Tools as values: `new CodeSource({ name: 'billing', tools: [defineTool({ … })] })`. They can be replaced while the application
 * runs. A fault in one of them is a fault in the application's code, so it is thrown at who wrote it.
 */
export class CodeSource implements ToolSource {
  readonly name: string;
  readonly owner: string;
  readonly description?: string;
  readonly loading?: Loading;
  readonly callTimeoutMs?: number;
  readonly limits?: SourceLimits;
  /** An example that does not fit its schema is a fault in the code. */
  readonly strict = true;

  readonly #namespace: string;
  readonly #watchers = new Set<() => void>();
  #tools: ReadonlyMap<string, CodeTool>;
  // What the catalog knows of: arguments that were checked by an older schema must not reach a newer handler.
  #loaded: ReadonlyMap<string, CodeTool> = new Map();

  /** @throws ToolSearchError `INVALID_CONFIGURATION` or `SOURCE_LIMIT` for a fault in the source or one of its tools */
  constructor(options: CodeSourceOptions) {
    checkKeys(options, OPTIONS, 'CodeSource');
    const { name, tools, owner = '', namespace = name, ...rest } = options;
    if (typeof name !== 'string' || !/^[A-Za-z0-9_.-]{1,64}$/.test(name)) {
      throw refused(name, 'the name is not usable', 'Use 1 to 64 of letters, digits, "_", "-" and ".".');
    }
    if (typeof namespace !== 'string' || !isLegalName(namespace)) {
      throw refused(name, 'the namespace is not usable', 'Use letters, digits, "_", "-" and ".".');
    }
    this.name = name;
    this.owner = owner;
    // What a tenant brings may be written by anybody.
    if (owner === '') markOwnCode(this);
    this.#namespace = namespace;
    const { description, loading, callTimeoutMs, limits } = rest;
    Object.assign(this, { description, loading, callTimeoutMs, limits });
    this.#tools = this.#checked(tools);
  }

  /**
   * Replaces all tools. The catalog takes them up within `catalog.refreshEveryMs` (5 s); until then calls meet the old ones.
   *
   * @throws ToolSearchError as the constructor; nothing is replaced then
   */
  replace(tools: readonly CodeTool[]): void {
    this.#tools = this.#checked(tools);
    for (const changed of this.#watchers) changed();
  }

  async load(): Promise<readonly ToolDeclaration[]> {
    this.#loaded = this.#tools;
    return declarationsOf(this.#loaded);
  }

  watch(changed: () => void): () => void {
    this.#watchers.add(changed);
    return () => this.#watchers.delete(changed);
  }

  async call(name: string, input: unknown, context: ToolContext, call: ToolCall): Promise<SourceAnswer> {
    const tool = this.#loaded.get(name);
    if (!tool) throw new ToolSearchError('SOURCE_UNAVAILABLE', 'The source has no such tool any more.');
    return tool.run(input, context, call);
  }

  async close(): Promise<void> {}

  // By canonical names: of two namespaces each may have a tool of one name.
  #named(tools: readonly CodeTool[]): readonly (readonly [name: string, tool: CodeTool])[] {
    return tools.map((tool) => {
      const { namespace = this.#namespace, name } = tool.declaration;
      return [canonicalName(namespace, name), tool];
    });
  }

  // The catalog drops a bad tool and keeps the rest; here its rules run where the tools are written down.
  #checked(tools: readonly CodeTool[]): ReadonlyMap<string, CodeTool> {
    if (!Array.isArray(tools) || tools.some((tool) => typeof (tool as Partial<CodeTool> | null)?.run !== 'function')) {
      throw refused(this.name, 'tools is no list of tools', 'Make each of them with defineTool().');
    }
    const named = this.#named(tools);
    const { refused: refusals, tools: taken } = ingest(this, declarationsOf(named), () => 'always');
    const suspicious = taken.flatMap(({ definition: { name, suspicion } }) =>
      suspicion === undefined ? [] : [{ name, reason: suspicion }],
    );
    const [fault] = [...refusals, ...suspicious];
    if (fault) throw refused(this.name, `${fault.name}: ${fault.reason}`, 'Correct the tool, or leave it out.');
    return new Map(named);
  }
}

function declarationsOf(tools: Iterable<readonly [name: string, tool: CodeTool]>): readonly ToolDeclaration[] {
  return Array.from(tools, ([name, { declaration }]) => ({ ...declaration, name, namespace: '' }));
}

function refused(name: unknown, fault: string, hint: string): ToolSearchError {
  return new ToolSearchError('INVALID_CONFIGURATION', `Code source ${JSON.stringify(name)}: ${fault}.`, { hint });
}
