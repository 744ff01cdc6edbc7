import type { Surface } from '../../toolbox/surface.js';

/** One definition as far as it stands in a prompt. */
interface PromptDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
}

/** What stands at the beginning of every request of a run: the prompt parts, then definitions in the order of the list. */
export interface PromptPrefix {
  readonly parts: readonly string[];
  readonly definitions: readonly PromptDefinition[];
}

/** What a change of the list did to the prompt cache of a run: nothing was cached yet, it stayed whole, or it broke. */
export type CacheEffect = 'first' | 'kept' | 'broken';

/**
 * The prefix of a surface. Meta tools come first, as adapters send them; what a provider defers itself is no part of it.
 */
export function promptPrefix({ mode, tools, meta, prompt }: Surface): PromptPrefix {
  const inPrefix = mode === 'native' ? tools.filter(({ loading }) => loading !== 'deferred') : tools;
  return {
    parts: [prompt.guidance, prompt.directory, prompt.hints].filter((part) => part !== undefined),
    definitions: [...meta, ...inPrefix],
  };
}

/**
 * Whether the old list of definitions is a byte-identical beginning of the new one, behind the same prompt parts. No more
 * than that: whether a provider still had it in its cache, nobody here knows.
 */
export function cacheEffect(before: PromptPrefix | undefined, after: PromptPrefix): CacheEffect {
  if (!before) return 'first';
  const isKept =
    before.parts.length === after.parts.length &&
    before.parts.every((part, index) => part === after.parts[index]) &&
    before.definitions.length <= after.definitions.length &&
    before.definitions.every((definition, index) => isSame(definition, after.definitions[index]));
  return isKept ? 'kept' : 'broken';
}

function isSame(left: PromptDefinition, right: PromptDefinition | undefined): boolean {
  return (
    right !== undefined &&
    left.name === right.name &&
    left.description === right.description &&
    // Mostly the same object; a source that was loaded again has others that read alike.
    (left.inputSchema === right.inputSchema || JSON.stringify(left.inputSchema) === JSON.stringify(right.inputSchema))
  );
}
