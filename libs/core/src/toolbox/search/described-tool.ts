import { flag, list, object, type OptionsOf, type SettingsOf, text, whole } from '../../options/options.js';
import type { ToolDefinition, ToolExample } from '../../tool/tool-definition.js';
import { configure } from 'safe-stable-stringify';

/** A definition without the parts that only executors need. */
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

/** What a description contains. */
export interface DescribeOptions {
  /** @default true */
  readonly includeSchemas?: boolean;
  /** @default true */
  readonly includeExamples?: boolean;
}

/** How a model reads definitions. */
export interface ReadOptions extends DescribeOptions {
  /** All of it, however many tokens it has; for one tool. @default false */
  readonly full?: boolean;
}

export const exampleOptions = object({
  /** @default true */
  enabled: flag().default(true),
  /** @default 3 */
  maxPerTool: whole(1, 10).default(3),
  /** @default true */
  includeDescriptions: flag().default(true),
  /** Also append examples to the descriptions of listed tools, not only to the replies of `tool_get`. @default false */
  inDefinitions: flag().default(false),
  /** Show only examples with one of these tags; empty means all. @default [] */
  filterTags: list(text()).default([]),
});

export type ExampleOptions = SettingsOf<typeof exampleOptions>;

export interface GivenExampleOptions extends OptionsOf<typeof exampleOptions> {}

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

// Equal arguments must give equal bytes, in any key order: descriptions are part of the provider's prompt cache.
const stringify = configure({ deterministic: true, circularValue: undefined });

/** Examples with longer arguments are left out of descriptions; `tool_get` returns them in full. */
const MAX_ARGS_CHARS = 2000;

/**
 * Descriptions in the model's list: the definition's own, with its examples where `examples.inDefinitions` is set.
 * Shared by all requests and cached per definition, because a definition never changes.
 */
export class ListedDescriptions {
  readonly #written = new WeakMap<ToolDefinition, string>();

  constructor(private readonly rule: ExampleOptions) {}

  of(tool: ToolDefinition): string {
    const { enabled, inDefinitions } = this.rule;
    if (!enabled || !inDefinitions || tool.examples.length === 0) return tool.description;
    let written = this.#written.get(tool);
    if (written === undefined) this.#written.set(tool, (written = withExamples(tool, this.rule)));
    return written;
  }
}

function withExamples({ description, examples }: ToolDefinition, rule: ExampleOptions): string {
  const lines = chosenExamples(examples, rule).flatMap((example) => exampleLine(example) ?? []);
  return lines.length === 0 ? description : `${description}\n\nExamples:\n${lines.join('\n')}`;
}

/** `- Description (tags): {"arguments":"as JSON"}`, or undefined when the arguments are too long. */
function exampleLine({ args, description, tags = [] }: ChosenExample): string | undefined {
  const json = stringify(args) ?? '{}';
  if (json.length > MAX_ARGS_CHARS) return undefined;
  const words = [
    ...(description === undefined ? [] : [description.replace(/\s+/g, ' ').trim()]),
    ...(tags.length > 0 ? [`(${tags.join(', ')})`] : []),
  ].join(' ');
  return `- ${words === '' ? '' : `${words}: `}${json}`;
}
