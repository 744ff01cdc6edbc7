import { createHash } from 'node:crypto';
import type { ListedTool, MetaTool, Surface } from '../../toolbox/surface/surface.js';

/** The start of every request of a run: the prompt parts, then the definitions in list order. */
export interface PromptPrefix {
  readonly parts: readonly string[];
  /** One per definition: equal stamps mean equal bytes. */
  readonly stamps: readonly string[];
}

/** A summary of a prefix, kept until the run's next step: there are many runs, and lists and prompt parts are long. */
export interface SentPrefix {
  readonly definitions: number;
  readonly digest: string;
}

/** The effect of a changed list on a run's prompt cache: nothing was cached yet, it stays valid, or it breaks. */
export type CacheEffect = 'first' | 'kept' | 'broken';

/** Meta tools come first, as adapters send them; tools that the provider defers are not part of the prefix. */
export function promptPrefix({ mode, tools, meta, prompt }: Surface): PromptPrefix {
  const inPrefix = mode === 'native' ? tools.filter(({ loading }) => loading !== 'deferred') : tools;
  return {
    parts: [prompt.guidance, prompt.directory, prompt.hints].filter((part) => part !== undefined),
    stamps: [...meta.map((tool) => stampOf(tool, tool)), ...inPrefix.map((tool) => stampOf(tool.definition, tool))],
  };
}

export function sentPrefix(prefix: PromptPrefix): SentPrefix {
  const definitions = prefix.stamps.length;
  return { definitions, digest: digestOf(prefix, definitions) };
}

/** Whether the old definitions are a byte-identical prefix of the new ones, after the same prompt parts. */
export function cacheEffect(before: SentPrefix | undefined, after: PromptPrefix): CacheEffect {
  if (!before) return 'first';
  const isKept = before.definitions <= after.stamps.length && before.digest === digestOf(after, before.definitions);
  return isKept ? 'kept' : 'broken';
}

function digestOf({ parts, stamps }: PromptPrefix, definitions: number): string {
  const digest = createHash('sha256').update(JSON.stringify(parts));
  return digest.update(stamps.slice(0, definitions).join('')).digest('base64');
}

interface Stamped {
  readonly description: string;
  readonly inputSchema: object;
  readonly stamp: string;
}

const stamped = new WeakMap<object, Stamped>();

/** @param owner an object with the lifetime of this form of the definition */
function stampOf(owner: object, { name, description, inputSchema }: MetaTool | ListedTool): string {
  const known = stamped.get(owner);
  if (known?.description === description && known.inputSchema === inputSchema) return known.stamp;
  // A reloaded source has new definition objects with the same text.
  const text = JSON.stringify([name, description, inputSchema]);
  const stamp = createHash('sha256').update(text).digest('base64');
  stamped.set(owner, { description, inputSchema, stamp });
  return stamp;
}
