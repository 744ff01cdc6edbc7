import { configure } from 'safe-stable-stringify';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import { type ChosenExample, chosenExamples, type ExampleOptions } from './described-tool.js';

// Of equal arguments the same bytes, however they were written down: a description is part of the prompt's cache.
const stringify = configure({ deterministic: true, circularValue: undefined });

/** A longer call is no example to learn from at a glance; `tool_get` shows it whole. */
const MAX_ARGS_CHARS = 2000;

/**
 * Descriptions of tools as the model's list has them: the definition's own, or that one with its examples where
 * `examples.inDefinitions` asks for them. Shared by all requests; a definition never changes, so each is written once.
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

/** `- Words (tags): {"arguments":"as JSON"}`, or undefined for arguments that are too long. */
function exampleLine({ args, description, tags = [] }: ChosenExample): string | undefined {
  const json = stringify(args) ?? '{}';
  if (json.length > MAX_ARGS_CHARS) return undefined;
  const words = [
    ...(description === undefined ? [] : [description.replace(/\s+/g, ' ').trim()]),
    ...(tags.length > 0 ? [`(${tags.join(', ')})`] : []),
  ].join(' ');
  return `- ${words === '' ? '' : `${words}: `}${json}`;
}
