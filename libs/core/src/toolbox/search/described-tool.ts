import type { ToolDefinition, ToolExample } from '../../tool/tool-definition.js';

/** A definition as `tool_get` returns it to a model. */
export type DescribedTool = Pick<
  ToolDefinition,
  | 'name'
  | 'title'
  | 'description'
  | 'tags'
  | 'sideEffects'
  | 'loading'
  | 'authScopes'
  | 'costHint'
  | 'latencyHintMs'
  | 'safetyNotes'
  | 'deprecated'
> & {
  readonly inputSchema?: ToolDefinition['inputSchema'];
  readonly outputSchema?: ToolDefinition['outputSchema'];
  readonly examples?: readonly ChosenExample[];
};

/** Parts of a definition to include. */
export interface DescribeOptions {
  /** @default true */
  readonly includeSchemas?: boolean;
  /** @default true */
  readonly includeExamples?: boolean;
}

/** How tool examples are shown. */
export interface ExampleOptions {
  readonly enabled: boolean;
  readonly maxPerTool: number;
  readonly includeDescriptions: boolean;
  /** Also append examples to the descriptions of listed tools, not only to the replies of `tool_get`. */
  readonly inDefinitions: boolean;
  /** Show only examples with one of these tags; empty means all. */
  readonly filterTags: readonly string[];
}

/** Fills in the defaults of the example settings. */
export function exampleRule(options: Partial<ExampleOptions> = {}): ExampleOptions {
  const {
    enabled = true,
    maxPerTool = 3,
    includeDescriptions = true,
    inDefinitions = false,
    filterTags = [],
  } = options;
  return { enabled, maxPerTool, includeDescriptions, inDefinitions, filterTags };
}

const TAG_ORDER = ['minimal', 'common', 'edge-case'];

/** The definition without the parts that only executors need; simple examples first. */
export function describeTool(tool: ToolDefinition, rule: ExampleOptions, options: DescribeOptions = {}): DescribedTool {
  const { name, title, description, tags, sideEffects, loading, authScopes, costHint, latencyHintMs } = tool;
  const { safetyNotes, deprecated, inputSchema, outputSchema } = tool;
  const examples = rule.enabled && options.includeExamples !== false ? chosenExamples(tool.examples, rule) : [];
  return {
    name,
    ...(title !== undefined && { title }),
    description,
    tags,
    sideEffects,
    loading,
    authScopes,
    ...(costHint !== undefined && { costHint }),
    ...(latencyHintMs !== undefined && { latencyHintMs }),
    ...(safetyNotes !== undefined && { safetyNotes }),
    ...(deprecated !== undefined && { deprecated }),
    ...(options.includeSchemas !== false && { inputSchema, ...(outputSchema !== undefined && { outputSchema }) }),
    ...(examples.length > 0 && { examples }),
  };
}

/** An example as a model receives it. */
export type ChosenExample = Pick<ToolExample, 'args'> & Partial<ToolExample>;

/** The examples of a tool that the settings select: `minimal` ones first, then `common`, `edge-case` and all others. */
export function chosenExamples(examples: readonly ToolExample[], rule: ExampleOptions): readonly ChosenExample[] {
  const { filterTags } = rule;
  const rank = ({ tags }: ToolExample) => {
    const known = TAG_ORDER.findIndex((tag) => tags.includes(tag));
    return known < 0 ? TAG_ORDER.length : known;
  };
  return examples
    .filter(({ tags }) => filterTags.length === 0 || tags.some((tag) => filterTags.includes(tag)))
    .toSorted((left, right) => rank(left) - rank(right))
    .slice(0, rule.maxPerTool)
    .map(({ args, description, tags }) => ({
      args,
      ...(rule.includeDescriptions && description !== undefined && { description }),
      ...(tags.length > 0 && { tags }),
    }));
}
