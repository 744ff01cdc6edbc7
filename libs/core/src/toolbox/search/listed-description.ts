import { configure } from 'safe-stable-stringify';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import { type ChosenExample, chosenExamples, type ExampleOptions } from './described-tool.js';

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
