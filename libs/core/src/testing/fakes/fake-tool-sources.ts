import { FakeSource, type FakeSourceTool, type RecordedCall } from './fake-source.js';

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
