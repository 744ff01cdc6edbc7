import { createHash } from 'node:crypto';
import type { ListedTool, MetaTool, Surface } from '../../toolbox/surface/surface.js';

/** What stands at the beginning of every request of a run: the prompt parts, then definitions in the order of the list. */
export interface PromptPrefix {
  readonly parts: readonly string[];
  /** One for each definition: equal stamps, equal bytes. */
  readonly stamps: readonly string[];
}

/** What is remembered of a prefix until the run's next step: runs are many, and lists and prompt parts are long. */
export interface SentPrefix {
  readonly definitions: number;
  readonly digest: string;
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
    stamps: [...meta.map((tool) => stampOf(tool, tool)), ...inPrefix.map((tool) => stampOf(tool.definition, tool))],
  };
}

/** What to remember of a prefix that was sent. */
export function sentPrefix(prefix: PromptPrefix): SentPrefix {
  const definitions = prefix.stamps.length;
  return { definitions, digest: digestOf(prefix, definitions) };
}

/**
 * Whether the old list of definitions is a byte-identical beginning of the new one, behind the same prompt parts. No more
 * than that: whether a provider still had it in its cache, nobody here knows.
 */
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

/** @param owner what lives as long as the definition is shown in this form */
function stampOf(owner: object, { name, description, inputSchema }: MetaTool | ListedTool): string {
  const known = stamped.get(owner);
  if (known?.description === description && known.inputSchema === inputSchema) return known.stamp;
  // A source that was loaded again has other definitions, which read alike.
  const text = JSON.stringify([name, description, inputSchema]);
  const stamp = createHash('sha256').update(text).digest('base64');
  stamped.set(owner, { description, inputSchema, stamp });
  return stamp;
}
