import { z } from 'zod';
import { ingest } from '../../catalog/ingest/ingest.js';
import { markTrustedSource } from '../../catalog/ingest/trusted-source.js';
import { sourceLimits as limitsOf } from '../../catalog/loading/source-limits.js';
import type { ToolContext } from '../../tool/tool-context.js';
import type { Loading, ToolDeclaration } from '../../tool/tool-definition.js';
import { canonicalName } from '../../tool/tool-name.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { InspectionMode, SourceAnswer, ToolCall, ToolSource } from '../../tool/tool-source.js';
import type { CodeTool } from '../decorators/define-tool.js';
import { described, list, object, type OptionsOf, value } from '../../options/options.js';
import { parseOptions } from '../../options/parse-options.js';
import {
  inspection,
  loading,
  milliseconds,
  type SourceLimits,
  sourceLimits,
  sourceName,
  type SourceTuning,
} from '../../tool/source/source-options.js';

const isTool = (given: unknown) => typeof (given as Partial<CodeTool> | null)?.run === 'function';
const codeTools = described(list(value<CodeTool>(isTool, 'a tool that defineTool() made')), 'a list of tools');

export const codeSourceOptions = object({
  /** Unique among the sources of one owner; 1 to 64 of letters, digits, `_`, `-` and `.`. */
  name: sourceName(),
  /** Created by `defineTool`. */
  tools: codeTools,
  /** The tenant that owns the source. @default shared by all tenants */
  owner: z.string().default(''),
  /** Namespace of tools that declare none, up to 128 characters; `''`: names without a prefix. @default the source's name */
  namespace: described(
    z.string().regex(/^[A-Za-z0-9_.-]{0,128}$/),
    'a text of up to 128 of letters, digits, "_", "-" and "."',
  ).optional(),
  /** Purpose of the source's tools: searched with each of them, never shown. @default none */
  description: z.string().optional(),
  /** Loading of tools that declare none. @default the module's `defaultLoading` */
  loading: loading().optional(),
  /** Milliseconds per call. @default 30000 */
  callTimeoutMs: milliseconds().optional(),
  limits: sourceLimits.optional(),
  /** The treatment of suspected tools, if the source has an owner. @default the module's `inspection` */
  inspection: inspection().optional(),
});

/** What a schema and a description may have at most before it is known which application the source belongs to. */
const LARGEST: SourceTuning = { schemaDepth: 10_000, descriptionChars: 1_073_741_824 };

let checkAgain: (source: CodeSource, ofAll: SourceTuning) => void;

/** Options of a {@link CodeSource}. */
export interface CodeSourceOptions extends OptionsOf<typeof codeSourceOptions> {}

/**
 * Tools defined in code: `new CodeSource({ name: 'billing', tools: [defineTool({ … })] })`. They can be replaced at run
 * time. A faulty tool is an error in the application's code, so the constructor and `replace` throw; one that is over a
 * limit of `tuning.sources` fails the boot of an application that names the source in its options.
 */
export class CodeSource implements ToolSource {
  readonly name: string;
  readonly owner: string;
  readonly description?: string;
  readonly loading?: Loading;
  readonly callTimeoutMs?: number;
  readonly limits?: SourceLimits;
  readonly inspection?: InspectionMode;
  /** An example that does not match its schema is an error in the code. */
  readonly strict = true;

  readonly #namespace: string;
  readonly #watchers = new Set<() => void>();
  #ofAll = LARGEST;
  #tools: ReadonlyMap<string, CodeTool>;
  // Tools as the catalog loaded them: arguments validated by an older schema must not reach a newer handler.
  #loaded: ReadonlyMap<string, CodeTool> = new Map();

  static {
    checkAgain = (source, ofAll) => {
      source.#ofAll = ofAll;
      source.#checked([...source.#tools.values()]);
    };
  }

  /** @throws ToolSearchError `INVALID_CONFIGURATION` or `SOURCE_LIMIT` for a faulty source or tool */
  constructor(options: CodeSourceOptions) {
    const { name, tools, owner, namespace = name, ...rest } = parseOptions(codeSourceOptions, options, 'CodeSource');
    this.name = name;
    this.owner = owner;
    // Tools of a tenant are not trusted: the application may not have written them.
    if (owner === '') markTrustedSource(this);
    this.#namespace = namespace;
    Object.assign(this, rest);
    this.#tools = this.#checked(tools);
  }

  /**
   * Replaces all tools. The catalog loads them within `tuning.catalog.refreshEveryMs` (5 s); until then, calls use the old
   * ones.
   *
   * @throws ToolSearchError as the constructor does; the old tools are then kept
   */
  replace(tools: readonly CodeTool[]): void {
    this.#tools = this.#checked(parseOptions(codeTools, tools, 'CodeSource.replace()'));
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

  // By canonical name: two namespaces may each have a tool of the same local name.
  #named(tools: readonly CodeTool[]): readonly (readonly [name: string, tool: CodeTool])[] {
    return tools.map((tool) => {
      const { namespace = this.#namespace, name } = tool.declaration;
      return [canonicalName(namespace, name), tool];
    });
  }

  // The catalog drops a bad tool and keeps the rest; here the same rules run early and throw.
  #checked(tools: readonly CodeTool[]): ReadonlyMap<string, CodeTool> {
    const named = this.#named(tools);
    const limits = limitsOf(this, this.#ofAll);
    const declarations = declarationsOf(named);
    const { refused: refusals, tools: taken } = ingest(
      this,
      declarations,
      () => 'always',
      undefined,
      undefined,
      limits,
    );
    const suspicious = taken.flatMap(({ definition: { name, suspicion } }) =>
      suspicion === undefined ? [] : [{ name, reason: suspicion }],
    );
    const [fault] = [...refusals, ...suspicious];
    if (fault) throw refused(this.name, `${fault.name}: ${fault.reason}`, 'Correct the tool, or leave it out.');
    return new Map(named);
  }
}

/**
 * Checks the tools of a {@link CodeSource} with the limits that an application has for all sources; `replace` uses them
 * from then on. Other sources are checked when they load.
 *
 * @param ofAll the option `tuning.sources`
 * @throws ToolSearchError as the constructor does
 */
export function checkWithLimits(source: ToolSource, ofAll: SourceTuning = {}): void {
  if (source instanceof CodeSource) checkAgain(source, ofAll);
}

function declarationsOf(tools: Iterable<readonly [name: string, tool: CodeTool]>): readonly ToolDeclaration[] {
  return Array.from(tools, ([name, { declaration }]) => ({ ...declaration, name, namespace: '' }));
}

function refused(name: unknown, fault: string, hint: string): ToolSearchError {
  return new ToolSearchError('INVALID_CONFIGURATION', `Code source ${JSON.stringify(name)}: ${fault}.`, { hint });
}
