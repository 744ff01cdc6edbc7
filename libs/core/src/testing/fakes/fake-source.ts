import type { ToolContext } from '../../tool/tool-context.js';
import type { ToolDeclaration } from '../../tool/tool-definition.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import { type SourceAnswer, type ToolCall, type ToolSource, toOutput } from '../../tool/tool-source.js';

/** A tool of a {@link FakeSource}: a declaration and its behavior. */
export interface FakeSourceTool extends Omit<ToolDeclaration, 'description'> {
  /** @default 'Does what <name> says.' */
  readonly description?: string;
  /**
   * Runs the tool. The returned value becomes output like that of a handler, unless it is a complete answer with
   * `content`.
   *
   * @default answers 'done'
   */
  readonly run?: (input: Record<string, unknown>, context: ToolContext, call: ToolCall) => unknown;
}

/** A call that reached the source. */
export interface RecordedCall {
  readonly name: string;
  readonly input: unknown;
  readonly context: ToolContext;
}

/** A tool source in memory, for tests and experiments. Its tools can be replaced, and it can be made to fail. */
export class FakeSource implements ToolSource {
  readonly owner?: string;
  readonly description?: string;
  readonly loading?: ToolSource['loading'];
  readonly limits?: ToolSource['limits'];
  readonly callTimeoutMs?: number;
  readonly loadTimeoutMs?: number;
  readonly changes?: ToolSource['changes'];
  readonly lazy?: boolean;
  readonly inspection?: ToolSource['inspection'];
  readonly exposes?: ToolSource['exposes'];
  /** All calls so far, oldest first. */
  readonly calls: RecordedCall[] = [];
  /** Number of loads by the catalog. */
  loads = 0;
  closed = false;
  #tools: readonly FakeSourceTool[];
  #failure: Error | undefined;
  #changed: (() => void) | undefined;

  /** @param options properties of {@link ToolSource}; without `loading` the tools are deferred */
  constructor(
    readonly name: string,
    tools: readonly (FakeSourceTool | string)[] = [],
    options: Partial<
      Pick<
        ToolSource,
        | 'owner'
        | 'description'
        | 'loading'
        | 'limits'
        | 'callTimeoutMs'
        | 'loadTimeoutMs'
        | 'changes'
        | 'lazy'
        | 'inspection'
        | 'exposes'
      >
    > = {},
  ) {
    this.#tools = tools.map(asTool);
    Object.assign(this, { loading: 'deferred', ...options });
  }

  /** Replaces the tools and reports the change, like a server that sends `list_changed`. */
  setTools(tools: readonly (FakeSourceTool | string)[]): void {
    this.#tools = tools.map(asTool);
    this.reportChange();
  }

  /** Makes every load fail with this error, or succeed again with `undefined`. */
  failWith(error: Error | undefined): void {
    this.#failure = error;
  }

  /** Reports that the tools may have changed. */
  reportChange(): void {
    this.#changed?.();
  }

  async load(_signal: AbortSignal): Promise<readonly ToolDeclaration[]> {
    this.loads += 1;
    if (this.#failure) throw this.#failure;
    return this.#tools.map(({ run: _run, ...tool }) => ({ description: `Does what ${tool.name} says.`, ...tool }));
  }

  watch(changed: () => void): () => void {
    this.#changed = changed;
    return () => {
      this.#changed = undefined;
    };
  }

  async call(name: string, input: unknown, context: ToolContext, call: ToolCall): Promise<SourceAnswer> {
    this.calls.push({ name, input, context });
    const tool = this.#tools.find((candidate) => candidate.name === name);
    if (!tool) throw new ToolSearchError('SOURCE_UNAVAILABLE', 'The source has no such tool any more.');
    const value = tool.run ? await tool.run(input as Record<string, unknown>, context, call) : 'done';
    return isAnswer(value) ? value : toOutput(value);
  }

  async close(): Promise<void> {
    this.closed = true;
  }
}

function asTool(tool: FakeSourceTool | string): FakeSourceTool {
  return typeof tool === 'string' ? { name: tool } : tool;
}

function isAnswer(value: unknown): value is SourceAnswer {
  return typeof value === 'object' && value !== null && 'content' in value && Array.isArray(value.content);
}

/** The namespace of tools whose names have none. */
const NAMESPACE = 'test';

/** Fake tools, in one source per namespace, with the calls they received. An injectable of the testing module. */
export class FakeToolSources {
  readonly #sources: ReadonlyMap<string, FakeSource>;

  /** @param tools canonical names such as `billing.refund`; a name without a dot gets the namespace `test` */
  constructor(tools: readonly (FakeSourceTool | string)[]) {
    const byNamespace = new Map<string, FakeSourceTool[]>();
    for (const tool of tools.map((each) => (typeof each === 'string' ? { name: each } : each))) {
      const dot = tool.name.lastIndexOf('.');
      const namespace = tool.namespace ?? (dot < 0 ? NAMESPACE : tool.name.slice(0, dot));
      const { namespace: _namespace, ...local } = { ...tool, name: tool.name.slice(dot + 1) };
      byNamespace.set(namespace, [...(byNamespace.get(namespace) ?? []), local]);
    }
    this.#sources = new Map([...byNamespace].map(([name, own]) => [name, new FakeSource(name, own)]));
  }

  get all(): readonly FakeSource[] {
    return [...this.#sources.values()];
  }

  /** Calls that reached a tool, by canonical name, oldest first within a namespace. */
  get calls(): readonly RecordedCall[] {
    return this.all.flatMap(({ name: namespace, calls }) =>
      calls.map((call) => ({ ...call, name: `${namespace}.${call.name}` })),
    );
  }

  /** The source of a namespace, to make it fail or to replace its tools. @throws RangeError where no tool has it */
  of(namespace: string): FakeSource {
    const source = this.#sources.get(namespace);
    if (!source) throw new RangeError(`no fake tool is in the namespace ${namespace}`);
    return source;
  }
}
