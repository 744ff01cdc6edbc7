import { META_TOOL_NAMES, wireName } from '../../tool/tool-name.js';

/** How a wire name ends that is made by a digest; see `wireName`. */
const DIGEST_CHARS = 9;
const MAX_PREFIX = 64 - DIGEST_CHARS;

/**
 * Whether a tool may not have a name, because a meta tool has it: for a model, which may know a tool by its wire name, there
 * would be two of that name.
 *
 * @param names besides those of `META_TOOL_NAMES`
 */
export function takenNames(names: readonly string[] = []): (name: string) => boolean {
  const taken = new Set<string>([...META_TOOL_NAMES, ...names]);
  // Digests are made only for names that could come to one of these: every load asks about every tool.
  const prefixes = new Set([...taken].map((name) => name.slice(0, -DIGEST_CHARS)));
  return (name) => {
    if (taken.has(name) || taken.has(name.replaceAll('.', '__'))) return true;
    const prefix = name.replace(/[^A-Za-z0-9-]+/g, '_').slice(0, MAX_PREFIX);
    return prefixes.has(prefix.replace(/_$/, '')) && taken.has(wireName(name));
  };
}
